// Where recovery/ finds it: it may not look into the protocol.
export { brokerLists, SharedLists } from '../protocol/schema/shared-lists.js'
