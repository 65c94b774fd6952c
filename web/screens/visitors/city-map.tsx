import { Map as MapIcon } from 'lucide-react'
import type { CityContent, CityMap as CityMapContent } from '#contracts/visitor-pages.ts'
import { formatNumber } from '#web/lib/format.ts'
import { textLink } from '#web/ui/link-styles.ts'

type CityMapProps = { content: CityContent; map: CityMapContent }

/** The listed businesses with exact coordinates, as a drawing. The list beside it has each with its address. */
export function CityMap({ content: { name, state, type }, map: { width, height, pins, scale } }: CityMapProps) {
  const place = `${name}, ${state.code}`
  const distance = `${formatNumber(scale.miles)} ${scale.miles === 1 ? 'mile' : 'miles'}`
  return (
    <figure className="mt-4">
      <svg
        role="img"
        aria-label={`Map of ${formatNumber(pins.length)} of these businesses in ${place}`}
        viewBox={`0 0 ${width} ${height}`}
        className="block h-auto w-full rounded-card border border-line bg-surface"
      >
        {pins.map(({ x, y }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
          <circle key={i} cx={x} cy={y} r={7} fill="var(--leaf)" stroke="var(--surface)" strokeWidth={2} />
        ))}
        <path d={`M12 ${height - 18}v6h${scale.length}v-6`} fill="none" stroke="var(--ink)" strokeWidth={2} />
      </svg>
      <figcaption className="mt-1.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-muted text-sm">
        <span>The bar is {distance}.</span>
        <a
          href={`/discover?${new URLSearchParams({ near: place, ...(type && { type }), view: 'map' })}`}
          className={`${textLink} touch-target inline-flex items-center gap-1.5`}
        >
          <MapIcon aria-hidden="true" className="size-4" />
          Open the map
        </a>
      </figcaption>
    </figure>
  )
}
