import { drawFanlight, fanlightRadius as r } from './fanlight.ts'
import './fanlight.css'

const { tints, bars, hoops } = drawFanlight(7)

/** A fan-shaped window, twice as wide as high, centered on its lower edge. Decorative. */
export function Fanlight({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" className={className} viewBox={`${-r} ${-r} ${2 * r} ${r}`}>
      {tints.map((d, strength) => (
        <path key={d.slice(0, 24)} d={d} className="fanlight-pane" opacity={0.16 + strength * 0.2} />
      ))}
      <path d={bars} className="fanlight-bar" strokeWidth={1.6} />
      <path d={hoops} className="fanlight-bar" strokeWidth={2.6} />
    </svg>
  )
}
