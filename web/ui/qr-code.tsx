import { encode } from 'uqr'

/** Quiet zone in modules. */
const quiet = 4

type QrCodeProps = { text: string; x: number; y: number; side: number }

/** Use this inside an `svg` with a white background. */
export function QrModules({ text, x, y, side }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const path = data.flatMap((row, at) => row.map((isDark, column) => (isDark ? `M${column + quiet} ${at + quiet}h1v1h-1z` : ''))).join('')
  return (
    <g transform={`translate(${x} ${y}) scale(${side / (size + 2 * quiet)})`}>
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </g>
  )
}
