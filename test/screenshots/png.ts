import { existsSync } from 'node:fs'
import { Resvg } from '@resvg/resvg-js'

/** Where Debian's fonts-dejavu-core puts them. Only these are used: the same picture on every machine that has them. */
const FONTS = ['DejaVuSansMono.ttf', 'DejaVuSansMono-Bold.ttf'].map(
  (name) => `/usr/share/fonts/truetype/dejavu/${name}`,
)

/** An SVG document of ours as PNG, half as large again. Throws when the fonts are missing, which resvg itself would hide behind empty pictures. */
export function pngOf(svg: string): Uint8Array {
  const missing = FONTS.find((font) => !existsSync(font))
  if (missing !== undefined) throw new Error(`${missing} is missing: apt-get install fonts-dejavu-core`)
  return new Resvg(svg, {
    font: { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans Mono' },
    fitTo: { mode: 'zoom', value: 1.5 },
  })
    .render()
    .asPng()
}
