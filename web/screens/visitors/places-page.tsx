import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { ageGatePath } from '#contracts/age.ts'
import { businessTypePluralLabels } from '#contracts/business-types.ts'
import type { Business } from '#contracts/businesses.ts'
import { type PlaceCount, type PlacesContent, placesPath, type StateContent } from '#contracts/visitor-pages.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'
import { Input } from '#web/ui/input.tsx'
import { quietLink, textLink } from '#web/ui/link-styles.ts'

/** At `/places`. Works without scripts. */
export function PlacesPage({ content: { states, cities, unknownPlace, choices } }: { content: PlacesContent }) {
  return (
    <PlaceFrame>
      <h1 className="text-2xl sm:text-3xl">Licensed businesses by place</h1>
      <p className="mt-2 max-w-text text-muted">
        Dispensaries, farms, delivery services and related businesses, from public license records.
      </p>
      <PlaceSearch unknownPlace={unknownPlace} choices={choices} />
      {states.length === 0 && <p className="mt-10 text-muted">No licensed businesses are listed yet.</p>}
      {cities.length > 0 && (
        <section aria-labelledby="cities" className="mt-10">
          <h2 id="cities" className="text-xl">
            Cities with the most dispensaries
          </h2>
          <ul className="mt-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
            {cities.map(({ name, path, dispensaryCount }) => (
              <li key={path}>
                <a
                  href={path}
                  className="block h-full rounded-card border border-line bg-surface px-4 py-3 transition-colors hover:border-edge"
                >
                  <span className="font-semibold">{name}</span>
                  <span className="block text-muted text-sm tabular-nums">
                    {formatNumber(dispensaryCount)} {dispensaryCount === 1 ? 'dispensary' : 'dispensaries'}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {states.length > 0 && (
        <section aria-labelledby="states" className="mt-10">
          <h2 id="states" className="text-xl">
            States
          </h2>
          <CountedPlaces places={states} />
        </section>
      )}
    </PlaceFrame>
  )
}

/** At `/places/{state}`. Works without scripts. */
export function StatePage({ content: { state, types, cities } }: { content: StateContent }) {
  return (
    <PlaceFrame>
      <Trail places={[{ name: 'Places', path: placesPath() }]} current={state.name} />
      <h1 className="text-2xl sm:text-3xl">Licensed businesses in {state.name}</h1>
      {types.length > 0 ? (
        <p className="mt-2 text-muted tabular-nums">
          {types.map(({ type, count }) => `${businessTypePluralLabels[type]} ${formatNumber(count)}`).join(' · ')}
        </p>
      ) : (
        <p className="mt-2 text-muted">No licensed businesses are listed here yet.</p>
      )}
      <PlaceSearch />
      {cities.length > 0 && (
        <section aria-labelledby="cities" className="mt-8">
          <h2 id="cities" className="text-xl">
            Cities
          </h2>
          <CountedPlaces places={cities} />
        </section>
      )}
    </PlaceFrame>
  )
}

export const PlaceFrame = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-10">{children}</div>
)

type TrailProps = { places: readonly Pick<PlaceCount, 'name' | 'path'>[]; current: string }

export function Trail({ places, current }: TrailProps) {
  return (
    <nav aria-label="Breadcrumb" className="mb-3 text-sm">
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {places.map(({ name, path }) => (
          <li key={path} className="flex items-center gap-2">
            <a href={path} className={quietLink}>
              {name}
            </a>
            <span aria-hidden="true" className="text-muted">
              ›
            </span>
          </li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  )
}

export function CountedPlaces({ places, isNarrow = false }: { places: readonly PlaceCount[]; isNarrow?: boolean }) {
  return (
    <ul className={cx('mt-3', !isNarrow && 'gap-x-8 sm:columns-2 lg:columns-3')}>
      {places.map(({ name, path, count }) => (
        <li key={path} className="break-inside-avoid border-line border-b">
          <a href={path} className="group flex min-h-11 items-center justify-between gap-3 py-2">
            <span className="min-w-0 font-medium wrap-anywhere group-hover:text-leaf group-hover:underline group-hover:underline-offset-3">
              {name}
            </span>
            <span className="text-muted text-sm tabular-nums">
              {formatNumber(count)}
              <span className="sr-only"> licensed {count === 1 ? 'business' : 'businesses'}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

type PlaceSearchProps = Partial<Pick<PlacesContent, 'unknownPlace' | 'choices'>>

export function PlaceSearch({ unknownPlace = null, choices = [] }: PlaceSearchProps) {
  return (
    <search className="mt-6 block max-w-xl">
      <form action={placesPath()} className="flex gap-2">
        <Input
          type="search"
          name="near"
          aria-label="City, state or ZIP code"
          aria-describedby={unknownPlace ? 'unknown-place' : undefined}
          placeholder="City, state or ZIP code"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={120}
          required
          defaultValue={unknownPlace ?? undefined}
          start={<Search aria-hidden="true" />}
          className="min-w-0 flex-1"
        />
        <button type="submit" className={buttonClass('primary')}>
          Go
        </button>
      </form>
      {choices.length > 0 && (
        <div className="mt-3">
          <p id="place-choices">Which city do you mean?</p>
          <ul aria-labelledby="place-choices" className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
            {choices.map(({ label, path }) => (
              <li key={path}>
                <a href={path} className={`${textLink} touch-target inline-block`}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unknownPlace && (
        <p id="unknown-place" className="mt-2 text-clay text-sm">
          We couldn’t find “{unknownPlace}”. Enter a city and state, such as “Denver, CO”, or a ZIP code. You can also{' '}
          <a href="#states" className={textLink}>
            choose a state
          </a>
          .
        </p>
      )}
    </search>
  )
}

type PlaceAgeGateProps = {
  age: Pick<Business['productAge'], 'minimumAge' | 'rule'>
  /** True if the viewer's account has a birthday, so confirming an age isn't enough. */
  isAgeKnown: boolean
  returnTo: string
  refusal: string
  /** The reason for the question, if the page doesn't explain it. */
  reason?: string
}

/** Replaces content that people below a place's minimum age may not see. Works without scripts. */
export function PlaceAgeGate({ age: { minimumAge, rule }, isAgeKnown, returnTo, refusal, reason }: PlaceAgeGateProps) {
  if (isAgeKnown) {
    return (
      <div className="grid gap-1.5 rounded-card border border-line bg-surface p-5">
        <p className="font-medium">{refusal}</p>
        <p className="text-muted text-sm">{rule}</p>
      </div>
    )
  }
  return (
    <form
      method="post"
      action={ageGatePath}
      className="grid justify-items-start gap-4 rounded-card border border-line bg-surface p-5 sm:p-6"
    >
      <div>
        <h3 className="text-lg">Are you {minimumAge} or older?</h3>
        <p className="mt-1.5 text-muted text-sm">{reason ? `${reason} ${rule}` : rule}</p>
      </div>
      <input type="hidden" name="age" value={minimumAge} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <Button type="submit" name="confirmed" value="on" size="lg" className="max-sm:w-full">
        Yes, I’m {minimumAge} or older
      </Button>
    </form>
  )
}
