import { Search } from 'lucide-react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { type LandingContent, type LandingReview, menuPath, type PlaceCount, placesPath } from '#contracts/visitor-pages.ts'
import { LicenseBadge } from '#web/entities/businesses/license-badge.tsx'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { dateFormat, formatNumber } from '#web/lib/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/card.tsx'
import { Input } from '#web/ui/input.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { Stars } from '#web/ui/stars.tsx'

/** Cities, menus and reviews of this site. Each part only if there is something. */
export function RealThings({ content: { cities, menus, reviews } }: { content: LandingContent }) {
  if (cities.length + menus.length + reviews.length === 0) return null
  return (
    <div className="mx-auto grid max-w-page gap-14 px-4 pt-16 sm:px-6 sm:pt-20">
      {cities.length > 0 && <Cities cities={cities} />}
      {menus.length > 0 && (
        <section aria-labelledby="menus">
          <h2 id="menus" className="text-2xl">
            Menus confirmed this week
          </h2>
          <ul className="mt-5 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
            {menus.map((menu) => (
              <li key={menu.id}>
                <Card asChild interactive className="h-full">
                  <article className="grid content-start gap-1 px-4 py-3.5">
                    <h3 className="line-clamp-2 text-base">
                      <a href={menuPath(menu.slug)} className={cardLink}>
                        {menu.name}
                      </a>
                    </h3>
                    <p className="text-muted text-sm">
                      {businessTypeLabels[menu.type]} · {menu.location}
                    </p>
                    <p>
                      <Stars rating={menu.averageRating} count={menu.totalRatings} />
                    </p>
                    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5">
                      <Confirmed at={menu.menuConfirmedAt} />
                      <LicenseBadge business={menu} />
                    </p>
                  </article>
                </Card>
              </li>
            ))}
          </ul>
        </section>
      )}
      {reviews.length > 0 && (
        <section aria-labelledby="reviews">
          <h2 id="reviews" className="text-2xl">
            What people say
          </h2>
          <ul className="mt-5 grid gap-3 lg:grid-cols-3">
            {reviews.map((review) => (
              <li key={review.id}>
                <Review review={review} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function Cities({ cities }: { cities: readonly PlaceCount[] }) {
  return (
    <section aria-labelledby="cities">
      <h2 id="cities" className="text-2xl">
        Find a licensed shop
      </h2>
      <search className="mt-5 block max-w-xl">
        <form action={placesPath()} className="flex gap-2">
          <Input
            type="search"
            name="near"
            aria-label="City, state or ZIP code"
            placeholder="City, state or ZIP code"
            autoComplete="off"
            enterKeyHint="search"
            maxLength={120}
            required
            start={<Search aria-hidden="true" />}
            className="min-w-0 flex-1"
          />
          <button type="submit" className={buttonClass('primary')}>
            Go
          </button>
        </form>
      </search>
      <ul className="mt-5 grid grid-cols-2 gap-3 lg:grid-cols-4">
        {cities.map(({ name, path, dispensaryCount }) => (
          <li key={path}>
            <a
              href={`${path}?sort=open`}
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
      <p className="mt-4">
        <a href={placesPath()} className={textLink}>
          All states and cities
        </a>
      </p>
    </section>
  )
}

const day = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })

function Review({ review: { rating, text, createdAt, business } }: { review: LandingReview }) {
  return (
    <Card asChild className="h-full">
      <figure className="grid content-start gap-2.5 p-5">
        <Stars rating={rating} />
        <blockquote className="wrap-anywhere">{text}</blockquote>
        <figcaption className="text-muted text-sm">
          On{' '}
          <a href={menuPath(business.slug)} className={textLink}>
            {business.name}
          </a>
          {business.place && `, ${business.place}`}, <time dateTime={createdAt}>{day.format(new Date(createdAt))}</time>
        </figcaption>
      </figure>
    </Card>
  )
}
