import { Map as MapIcon, Phone } from 'lucide-react'
import { phoneLink } from '#contracts/addresses.ts'
import { businessTypeLabels, businessTypePluralLabels } from '#contracts/business-types.ts'
import {
  type CityBusiness,
  type CityContent,
  type CityMap as CityMapContent,
  menuPath,
  type PlaceSort,
  placesPath,
} from '#contracts/visitor-pages.ts'
import { LicenseBadge, OriginBadge } from '#web/entities/businesses/license-badge.tsx'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { Stars } from '#web/ui/stars.tsx'
import { CountedPlaces, PlaceAgeGate, PlaceFrame, PlaceSearch, Trail } from './places-page.tsx'

/** At `/places/{state}/{city}`. Works without scripts. */
export function CityPage({ content, isSignedIn }: { content: CityContent; isSignedIn: boolean }) {
  const { name, state, type, types, businesses, nextCursor, isFirstPage, nearby, ageGate } = content
  const place = `${name}, ${state.code}`
  return (
    <PlaceFrame>
      <Trail places={[{ name: 'Places', path: placesPath() }, state]} current={name} />
      <h1 className="text-2xl sm:text-3xl">{headingOf(content)}</h1>
      <div className="mt-5 grid items-start gap-x-10 gap-y-10 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="min-w-0">
          {type === null ? (
            <>
              <p className="text-muted">No licensed businesses are listed in {place} yet. Try another city or ZIP code:</p>
              <PlaceSearch />
            </>
          ) : (
            <>
              <Types content={content} />
              <Sorts content={content} />
              {content.map && <CityMap content={content} map={content.map} isSignedIn={isSignedIn} />}
              <ul className="mt-4 grid gap-3 md:grid-cols-2">
                {businesses.map((business) => (
                  <li key={business.id}>
                    <Row business={business} />
                  </li>
                ))}
              </ul>
              {businesses.length === 0 && <p className="text-muted">No more businesses in this list.</p>}
              <div className="mt-6 flex flex-wrap gap-3">
                {nextCursor && (
                  <a
                    href={addressOf(content, { cursor: nextCursor })}
                    rel="next"
                    className={buttonClass('secondary', 'lg', 'max-sm:w-full')}
                  >
                    Next page
                  </a>
                )}
                {!isFirstPage && (
                  <a href={addressOf(content)} className={buttonClass('quiet', 'lg', 'max-sm:w-full')}>
                    First page
                  </a>
                )}
              </div>
            </>
          )}
        </div>
        <div className="grid gap-8">
          {ageGate && types.length > 0 && (
            <section aria-label="Age">
              <PlaceAgeGate
                age={ageGate}
                isAgeKnown={ageGate.isAgeKnown}
                returnTo={addressOf(content)}
                refusal={`Menus in ${state.name} are for people ${ageGate.minimumAge} or older.`}
                reason="To see menus, confirm your age once."
              />
            </section>
          )}
          {nearby.length > 0 && (
            <section aria-labelledby="nearby">
              <h2 id="nearby" className="text-lg">
                Nearby
              </h2>
              <CountedPlaces places={nearby} isNarrow />
            </section>
          )}
          <p className="text-muted text-sm">
            Licenses come from{' '}
            <a href="/data" className={textLink}>
              public registers
            </a>
            . A business can claim its listing to add hours and a menu.
          </p>
        </div>
      </div>
    </PlaceFrame>
  )
}

function headingOf({ name, state, type, types }: CityContent): string {
  const place = `${name}, ${state.code}`
  if (type === null || type === 'other') return `Licensed businesses in ${place}`
  const count = types.find((each) => each.type === type)?.count ?? 0
  const kind = count === 1 ? businessTypeLabels[type] : businessTypePluralLabels[type]
  return `${formatNumber(count)} licensed ${kind.charAt(0).toLowerCase()}${kind.slice(1)} in ${place}`
}

/** `changes` selects another type, sort or page of the list. */
function addressOf(
  { path, type, types, sort }: CityContent,
  changes: { type?: typeof type; sort?: PlaceSort; cursor?: string } = {},
): string {
  const [, , stateSlug, citySlug] = path.split('/')
  const shown = changes.type ?? type
  const order = changes.sort ?? sort
  return placesPath(stateSlug, citySlug, {
    type: shown === null || shown === types[0]?.type ? undefined : shown,
    sort: order === 'distance' ? undefined : order,
    cursor: changes.cursor,
  })
}

const chipRow = '-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0'

function Types({ content }: { content: CityContent }) {
  if (content.types.length < 2) return null
  return (
    <nav aria-label="Types of business" className={chipRow}>
      {content.types.map(({ type, count }) => (
        <a
          key={type}
          href={addressOf(content, { type })}
          aria-current={type === content.type ? 'true' : undefined}
          className={chipClass(type === content.type)}
        >
          {businessTypePluralLabels[type]} <span className="opacity-70 tabular-nums">{formatNumber(count)}</span>
        </a>
      ))}
    </nav>
  )
}

const sortLabels: Record<PlaceSort, string> = { distance: 'Most central', open: 'Open now first', name: 'By name' }

function Sorts({ content }: { content: CityContent }) {
  return (
    <nav aria-label="Sort by" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm pointer-coarse:my-4 pointer-coarse:gap-y-6">
      {Object.entries(sortLabels).map(([sort, label]) =>
        sort === content.sort ? (
          <span key={sort} aria-current="true" className="font-semibold">
            {label}
          </span>
        ) : (
          <a key={sort} href={addressOf(content, { sort: sort as PlaceSort })} className={`${textLink} touch-target`}>
            {label}
          </a>
        ),
      )}
    </nav>
  )
}

function Row({ business }: { business: CityBusiness }) {
  const { name, slug, type, location, address, phone, openNow, timeZone, menuConfirmedAt } = business
  return (
    <Card asChild interactive className="h-full">
      <article className="grid min-w-0 content-start gap-0.5 px-4 py-3">
        <h2 className="line-clamp-2 text-base">
          <a href={menuPath(slug)} className={cardLink}>
            {name}
          </a>
        </h2>
        <p className="truncate text-muted text-sm">
          {businessTypeLabels[type]} · {address ?? location}
        </p>
        <p className="text-sm">
          {openNow && timeZone ? <OpenLine location={{ openNow, timeZone }} /> : <span className="text-muted">Hours not listed</span>}
        </p>
        {menuConfirmedAt && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm">
            <span className="font-medium text-leaf">Menu</span>
            <Confirmed at={menuConfirmedAt} />
          </p>
        )}
        <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <Stars rating={business.averageRating} count={business.totalRatings} />
          <LicenseBadge business={business} />
          <OriginBadge business={business} />
        </div>
        {phone && (
          <p className="mt-1 text-sm">
            <a href={phoneLink(phone)} className={`${textLink} touch-target relative z-1 inline-flex items-center gap-1.5`}>
              <Phone aria-hidden="true" className="size-3.5" />
              {phone}
            </a>
          </p>
        )}
      </article>
    </Card>
  )
}

type CityMapProps = { content: CityContent; map: CityMapContent; isSignedIn: boolean }

/** Shows only businesses with exact coordinates. The list has their addresses. */
function CityMap({ content: { name, state, type }, map: { width, height, pins, scale }, isSignedIn }: CityMapProps) {
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
        <span>Scale bar: {distance}</span>
        {/* Discover requires sign-in, so visitors don't get this link. */}
        {isSignedIn && (
          <a
            href={`/discover?${new URLSearchParams({ near: place, ...(type && { type }), view: 'map' })}`}
            className={`${textLink} touch-target inline-flex items-center gap-1.5`}
          >
            <MapIcon aria-hidden="true" className="size-4" />
            Open the map
          </a>
        )}
      </figcaption>
    </figure>
  )
}
