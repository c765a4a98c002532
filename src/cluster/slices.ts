// Where recovery/ finds it: it may not look into the protocol.
export { eachInSlices, type Slices, sharedSlices } from '../protocol/slices.js'
