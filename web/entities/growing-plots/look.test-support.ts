import type { Look, PlotPalette, Rgb } from './palette.ts'

export function testLook(width = 800, height = 400): Look {
  const palette = new Proxy({ isDark: false } as PlotPalette, {
    get: (target, role) => (role === 'isDark' ? target.isDark : ([128, 128, 128] satisfies Rgb)),
  })
  return { palette, font: 'sans-serif', displayFont: 'serif', width, height }
}
