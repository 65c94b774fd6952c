import { Search } from 'lucide-react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { menuPath, placesPath, type StrainContent, type StrainLink, type StrainShop } from '#contracts/visitor-pages.ts'
import { LicenseBadge, OriginBadge } from '#web/entities/businesses/license-badge.tsx'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { counted } from '#web/lib/format.ts'
import { distanceText } from '#web/lib/units.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/card.tsx'
import { Input } from '#web/ui/input.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { PlaceAgeGate, PlaceFrame } from './places-page.tsx'

/** At `/strains/{slug}`. Works without scripts. */
export function StrainPage({ content }: { content: StrainContent }) {
  const { name, type, breeder, parents, crosses } = content
  const facts = [
    { term: 'Type', value: type },
    { term: 'Breeder', value: breeder },
  ].filter((fact) => fact.value !== null)
  return (
    <PlaceFrame>
      <h1 className="text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
      {facts.length > 0 && (
        <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
          {facts.map(({ term, value }) => (
            <div key={term}>
              <dt className="text-muted text-sm">{term}</dt>
              <dd className="font-medium">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {parents.length > 0 && (
        <p className="mt-4">
          A cross of <Links to={parents} />.
        </p>
      )}
      <section id="shops" aria-labelledby="shops-heading" className="mt-8 max-w-4xl">
        <h2 id="shops-heading" className="text-xl">
          Where to find it
        </h2>
        <NearForm content={content} />
        <Shops content={content} />
      </section>
      {crosses.length > 0 && (
        <section aria-labelledby="crosses" className="mt-10 max-w-4xl">
          <h2 id="crosses" className="text-xl">
            Crosses with {name}
          </h2>
          <p className="mt-3">
            <Links to={crosses} />
          </p>
        </section>
      )}
      <p className="mt-10 text-muted text-sm">
        Type and breeder come from a{' '}
        <a href="/data" className={textLink}>
          public list of strains
        </a>
        .
      </p>
    </PlaceFrame>
  )
}

const Links = ({ to }: { to: readonly StrainLink[] }) =>
  to.map(({ name, path }, i) => (
    <span key={name}>
      {i > 0 && (i === to.length - 1 ? ' and ' : ', ')}
      {path ? (
        <a href={path} className={textLink}>
          {name}
        </a>
      ) : (
        name
      )}
    </span>
  ))

function NearForm({ content: { path, near, isNearKnown } }: { content: StrainContent }) {
  const isUnknown = near !== null && !isNearKnown
  return (
    <search className="mt-3 block max-w-xl">
      <form action={`${path}#shops`} className="flex gap-2">
        <Input
          type="search"
          name="near"
          aria-label="City or ZIP code"
          aria-describedby={isUnknown ? 'unknown-place' : undefined}
          placeholder="City or ZIP code"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={120}
          required
          defaultValue={near ?? undefined}
          start={<Search aria-hidden="true" />}
          className="min-w-0 flex-1"
        />
        <button type="submit" className={buttonClass('primary')}>
          Find shops
        </button>
      </form>
      {isUnknown && (
        <p id="unknown-place" className="mt-2 text-clay text-sm">
          We couldn’t find a city called “{near}”. Enter a city and state, such as “Denver, CO”, or a ZIP code.
        </p>
      )}
    </search>
  )
}

function Shops({ content }: { content: StrainContent }) {
  const { name, near, isNearKnown, radiusMiles, shops, hasMoreShops, ageGate, path } = content
  if (ageGate && (isNearKnown || ageGate.isAgeKnown)) {
    return (
      <div className="mt-5">
        <PlaceAgeGate
          age={ageGate}
          isAgeKnown={ageGate.isAgeKnown}
          returnTo={`${path}${near ? `?${new URLSearchParams({ near })}` : ''}#shops`}
          refusal={`Menus are for people ${ageGate.minimumAge} or older.`}
        />
      </div>
    )
  }
  if (!shops) return null
  if (shops.length === 0) {
    return (
      <div className="mt-5 grid justify-items-start gap-2">
        <p className="text-muted">
          No licensed shop within {radiusMiles} miles of {near} lists {name} in stock.
        </p>
        <a href={`${placesPath()}?${new URLSearchParams({ near: near ?? '' })}`} className={textLink}>
          See the licensed shops in {near}
        </a>
      </div>
    )
  }
  return (
    <>
      <p className="mt-5 text-muted text-sm">
        {hasMoreShops
          ? `The ${shops.length} licensed shops nearest to ${near}`
          : `${counted(shops.length, 'licensed shop')} within ${radiusMiles} miles of ${near}, nearest first`}
      </p>
      <ul className="mt-3 grid gap-3 md:grid-cols-2">
        {shops.map((shop) => (
          <li key={shop.id}>
            <Shop shop={shop} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Shop({ shop }: { shop: StrainShop }) {
  const { name, slug, type, location, openNow, timeZone, itemNames, itemCount, menuQuery, menuConfirmedAt } = shop
  const more = itemCount - itemNames.length
  return (
    <Card asChild interactive className="h-full">
      <article className="grid min-w-0 content-start gap-0.5 px-4 py-3">
        <h3 className="line-clamp-2 text-base">
          <a href={`${menuPath(slug, { q: menuQuery })}#menu`} className={cardLink}>
            {name}
          </a>
        </h3>
        <p className="text-muted text-sm tabular-nums">
          {[businessTypeLabels[type], distanceText(shop, 'mi'), location].filter(Boolean).join(' · ')}
        </p>
        {openNow && timeZone && (
          <p className="text-sm">
            <OpenLine location={{ openNow, timeZone }} />
          </p>
        )}
        <p className="mt-1 text-sm wrap-anywhere">
          {itemNames.join(', ')}
          {more > 0 && ` and ${more} more`}
        </p>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <Confirmed at={menuConfirmedAt} />
          <LicenseBadge business={shop} />
          <OriginBadge business={shop} />
        </div>
      </article>
    </Card>
  )
}
