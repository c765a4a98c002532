import { Box, Text } from 'ink'
import { render } from 'ink-testing-library'
import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import { Lines } from '../../../src/console/components/lines.js'
import { LookProvider, lookFor } from '../../../src/console/components/look.js'
import { span } from '../../../src/console/layout/line.js'
import { createLineMarks, LineMarksProvider } from '../../../src/console/painter/line-marks.js'

// Proves: a frame with marks, expanded, is the frame that Ink would have made of the lines themselves.

const look = lookFor({ colours: false, attributes: false, unicode: true, addressable: true, screenReader: false })
const tree = createElement(
  Box,
  { flexDirection: 'column', width: 40, height: 6, overflow: 'hidden' },
  createElement(Lines, { lines: ['head', '', [span('title', '漢字'), ' wide']], width: 40 }),
  createElement(
    Box,
    null,
    createElement(Box, { width: 12 }, createElement(Lines, { lines: ['left one', 'left 2'], width: 10 })),
    createElement(Lines, { lines: ['right', 'too long for it', 'third'], width: 8 }),
    createElement(Text, null, '|'),
  ),
)

describe('marks', () => {
  it('make the same frame as the lines themselves', () => {
    const plain = render(createElement(LookProvider, { value: look }, tree)).lastFrame()
    const marks = createLineMarks()
    const marked = render(
      createElement(LineMarksProvider, { value: marks }, createElement(LookProvider, { value: look }, tree)),
    ).lastFrame()
    expect(marked).not.toContain('head')
    const clean = (text: string) => text.split('\n').map((line) => line.trimEnd())
    expect(clean(marks.expand(marked ?? ''))).toEqual(clean(plain ?? ''))
    expect(plain).toContain('left one')
  })

  it('are good for one frame', () => {
    const marks = createLineMarks()
    const mark = marks.put('one')
    expect(marks.expand(mark)).toBe('one')
    expect(marks.expand(mark)).toBe('')
  })
})
