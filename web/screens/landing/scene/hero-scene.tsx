import { Fanlight } from './fanlight-picture.tsx'
import type { Plant } from './plants.ts'
import {
  clearing,
  drawRows,
  drawStaging,
  drawTrails,
  hills,
  landHeight,
  landWidth,
  stagingHeight,
  stagingWidth,
  trailHeight,
  trailWidth,
} from './staging.ts'

// Fixed seeds: drawn once, when the page's code loads.
const pots = drawStaging(11)
const trails = drawTrails(5)
const rows = drawRows(Math.round(landWidth * clearing))

/** Pots on a greenhouse windowsill, with the sun rising over hills. Decorative; fills its parent. */
export function HeroScene() {
  return (
    <div data-cover="farm" className="hero-scene">
      <div className="hero-glow" />
      <Fanlight className="hero-fanlight" />
      <div className="hero-sun" />
      <svg aria-hidden="true" className="hero-land" viewBox={`0 0 ${landWidth} ${landHeight}`} preserveAspectRatio="none">
        <path d={hills[0]} fill="var(--cover-far)" />
        <path d={hills[1]} fill="var(--cover-mid)" />
        <path d={hills[2]} fill="var(--cover-near)" />
        <path d={rows} fill="none" stroke="var(--cover-mid)" strokeWidth={3} opacity={0.55} />
      </svg>
      <svg aria-hidden="true" className="hero-trails" viewBox={`0 0 ${trailWidth} ${trailHeight}`}>
        <DrawnPlant plant={trails} />
      </svg>
      <div className="hero-sill" />
      <svg
        aria-hidden="true"
        className="hero-staging"
        viewBox={`0 0 ${stagingWidth} ${stagingHeight}`}
        preserveAspectRatio="xMaxYMax slice"
      >
        {pots.map(({ key, body, rim, plant, depth }) => (
          <g key={key} data-depth={depth}>
            <DrawnPlant plant={plant} />
            <path d={body} className="hero-pot" />
            <path d={rim} className="hero-rim" />
          </g>
        ))}
      </svg>
    </div>
  )
}

function DrawnPlant({ plant }: { plant: Plant }) {
  return (
    <>
      <path d={plant.back} className="hero-leaf-back" />
      <path d={plant.stems} className="hero-stem" />
      <path d={plant.front} className="hero-leaf" />
      {plant.veins && <path d={plant.veins} className="hero-vein" />}
    </>
  )
}
