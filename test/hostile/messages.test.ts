import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ALL_RPCS } from '../../src/protocol/rpc/all.js'
import { Fetch } from '../../src/protocol/rpc/fetch.js'
import { MalformedMessageError } from '../../src/protocol/schema/bytes.js'
import {
  decodeRequest,
  decodeResponse,
  decodeResponseInSlices,
  encodeRequest,
  encodeResponse,
} from '../../src/protocol/schema/rpc.js'
import { FrameSplitter, MAX_FRAME_BYTES } from '../../src/protocol/transport/frames.js'
import { FrameReader, OversizedFrameError } from '../../src/simulator/server/frames.js'
import { readRequestHeader } from '../../src/simulator/server/request-header.js'
import { allocatedBy, damaged } from './damage.js'

// Issue 6, 7: what real 4.4.0 brokers were asked and answered (test/kafka/record-messages.test.ts), damaged at every byte. Each gives a message of that kind,
// or a MalformedMessageError; at once, and without an allocation that follows what a length claims.

interface Recorded {
  readonly api: string
  readonly version: number
  readonly side: 'request' | 'response'
  readonly base64: string
}

const RECORDED = JSON.parse(
  readFileSync(new URL('../protocol/fixtures/messages-4.4.0.json', import.meta.url), 'utf8'),
) as readonly Recorded[]

const MB = 1024 * 1024
const rpcOf = (api: string) => {
  const found = ALL_RPCS.find(({ name }) => name === api)
  if (found === undefined) throw new Error(`no RPC ${api}`)
  return found
}

describe.each(RECORDED.map((one) => [one.api, one.version, one.side, one] as const))('%s %i, %s', (_a, _v, _s, one) => {
  const rpc = rpcOf(one.api)
  const whole = Buffer.from(one.base64, 'base64')
  const decode = (bytes: Buffer) =>
    one.side === 'request' ? decodeRequest(rpc, one.version, bytes) : decodeResponse(rpc, one.version, bytes)

  it('is read, and written again byte for byte', () => {
    const value = decode(whole)
    const again =
      one.side === 'request'
        ? encodeRequest(rpc, one.version, value as never)
        : encodeResponse(rpc, one.version, value as never)
    expect(again.toString('base64')).toBe(one.base64)
  })

  it('damaged anywhere: an error or another such message, at once, in little memory', () => {
    let [refused, read, slowestMs] = [0, 0, 0]
    const allocated = allocatedBy(() => {
      for (const bytes of damaged(whole.subarray(0, 600))) {
        const startedAt = performance.now()
        try {
          decode(bytes)
          read += 1
        } catch (error) {
          if (!(error instanceof MalformedMessageError)) throw error
          refused += 1
        }
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      }
    })
    expect(refused).toBeGreaterThan(0)
    if (whole.length <= 600) expect(read).toBeGreaterThan(0)
    // A claimed 2 GB would be far more; the machine may be busy, and collect its garbage meanwhile.
    expect(allocated).toBeLessThan(200 * MB)
    expect(slowestMs).toBeLessThan(2_000)
  })
})

it('the decoder in slices refuses the same damage as the one at once', async () => {
  const one = RECORDED.find(({ api, side }) => api === 'Metadata' && side === 'response')
  if (one === undefined) throw new Error('no Metadata among the recorded messages')
  const rpc = rpcOf(one.api)
  let seen = 0
  for (const bytes of damaged(Buffer.from(one.base64, 'base64').subarray(0, 200))) {
    const outcome = (value: unknown) => JSON.stringify(value)
    const refusal = (error: unknown) => (error instanceof MalformedMessageError ? 'refused' : `${error}`)
    let atOnce: string
    try {
      atOnce = outcome(decodeResponse(rpc, one.version, bytes))
    } catch (error) {
      atOnce = refusal(error)
    }
    expect(await decodeResponseInSlices(rpc, one.version, bytes).then(outcome, refusal)).toBe(atOnce)
    seen += 1
  }
  expect(seen).toBeGreaterThan(1_000)
})

describe('records in a fetch answer', () => {
  it('are bytes that nobody unpacks: a set that claims to be compressed and huge costs what it weighs', () => {
    const records = Buffer.alloc(100_000, 0xff)
    const answer = encodeResponse(Fetch, 12, {
      throttleTimeMs: 0,
      responses: [
        {
          topic: 't',
          partitions: [{ partitionIndex: 0, errorCode: 0, highWatermark: 1n, abortedTransactions: null, records }],
        },
      ],
    })
    const allocated = allocatedBy(() => {
      expect(decodeResponse(Fetch, 12, answer).responses[0]?.partitions[0]?.records?.length).toBe(100_000)
    })
    expect(allocated).toBeLessThan(20 * MB)
  })
})

describe('the frames of a stream', () => {
  const frame = (size: number) => {
    const bytes = Buffer.alloc(4 + size, 7)
    bytes.writeInt32BE(size, 0)
    return bytes
  }

  it('come out the same however the stream is cut', () => {
    const stream = Buffer.concat([frame(4), frame(300), frame(5)])
    for (let size = 1; size <= stream.length; size += 1) {
      const frames: number[] = []
      const splitter = new FrameSplitter()
      for (let at = 0; at < stream.length; at += size) {
        splitter.push(stream.subarray(at, at + size), (one) => frames.push(one.length))
      }
      expect(frames).toEqual([4, 300, 5])
    }
  })

  it.each([-1, 0, 3, MAX_FRAME_BYTES + 1, 0x7fffffff, -0x80000000])(
    'a length of %i is refused before anything is allocated',
    (length) => {
      const head = Buffer.alloc(4)
      head.writeInt32BE(length, 0)
      const allocated = allocatedBy(() => {
        expect(() => new FrameSplitter().push(head, () => {})).toThrow(/claims a length/)
      })
      expect(allocated).toBeLessThan(20 * MB)
    },
  )

  it('a frame that only drips takes no more than what has come', () => {
    const head = Buffer.alloc(4)
    head.writeInt32BE(MAX_FRAME_BYTES, 0)
    const splitter = new FrameSplitter()
    const allocated = allocatedBy(() => {
      splitter.push(head, () => {})
      for (let n = 0; n < 10_000; n += 1) splitter.push(Buffer.of(1), () => {})
    })
    expect(allocated).toBeLessThan(30 * MB)
  })

  it('the simulated broker refuses a request that is too long, and a header that is cut', () => {
    const long = Buffer.alloc(4)
    long.writeInt32BE(0x7fffffff, 0)
    expect(() => new FrameReader().push(long)).toThrow(OversizedFrameError)
    const whole = Buffer.from('001200030000000100026162000000', 'hex')
    for (const bytes of damaged(whole)) {
      try {
        readRequestHeader(bytes, () => true)
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedMessageError)
      }
    }
  })
})
