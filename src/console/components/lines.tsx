import { Box, Text, Transform, useIsScreenReaderEnabled } from 'ink'
import type { ReactElement } from 'react'
import { drawLine, type Line, plainText } from '../layout/line.js'
import { useLineMarks } from '../painter/line-marks.js'
import { useLook } from './look.js'

/**
 * A block of lines, `width` columns wide, exactly as many rows as there are lines. All text of the console is drawn by this: it escapes what is
 * outside text, styles it, cuts it, and it spares Ink the measuring. Ink 6.8 remembers every text it ever measured, for good; in a night of
 * updates that would be most of the memory. So Ink measures a block of blanks, and the lines take their place when it is drawn.
 */
export function Lines({
  lines,
  width,
}: {
  readonly lines: readonly Line[]
  readonly width: number
}): ReactElement | null {
  const { theme } = useLook()
  const marks = useLineMarks()
  const spoken = useIsScreenReaderEnabled()
  if (lines.length === 0) return null
  if (spoken)
    return <Text>{lines.map((line) => drawLine(plainText(line), Number.MAX_SAFE_INTEGER, theme)).join('\n')}</Text>
  const drawn = lines.map((line) => drawLine(line, width, theme))
  return (
    <Box width={width} height={lines.length} flexShrink={0}>
      <Transform transform={(_, index) => marks.put(drawn[index] ?? '')}>{' \n'.repeat(lines.length - 1)} </Transform>
    </Box>
  )
}
