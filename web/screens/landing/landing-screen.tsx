import { Link } from '@tanstack/react-router'
import { BadgeCheck, BellRing, Heart, KeyRound, type LucideIcon, Search, Sprout, Star } from 'lucide-react'
import { memberPlans } from '#contracts/plans.ts'
import { PlanCard } from '#web/entities/plans/plan-card.tsx'
import { brand } from '#web/lib/boot.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Fanlight, HeroScene } from './scene/hero-scene.tsx'
import './landing-screen.css'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { type LandingContent, type LandingReview, menuPath, type PlaceCount, placesPath } from '#contracts/visitor-pages.ts'
import { LicenseBadge } from '#web/entities/businesses/license-badge.tsx'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { dateFormat, formatNumber } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Input } from '#web/ui/input.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { Stars } from '#web/ui/stars.tsx'

/** All buttons that sign in, sign up, choose a plan or register lead here, as specified. */
const signInUrl = '/api/login'
const registerUrl = '/api/login?returnTo=/business/register'
const businessSignInUrl = '/api/login?returnTo=/business-dashboard'

const features: { title: string; text: string; Icon: LucideIcon }[] = [
  { title: 'Exclusive Access', text: 'Subscribe to unlock a business’s subscriber-only posts.', Icon: KeyRound },
  { title: 'Rate & Review', text: 'Every rating counts once, and averages are exact.', Icon: Star },
  { title: 'Follow & Favorite', text: 'Save businesses you like in one list, so you can find them again fast.', Icon: Heart },
  { title: 'Real-time Updates', text: 'New posts appear as soon as they’re published.', Icon: BellRing },
  { title: 'Verified Businesses', text: 'Licenses come from public registers, shown with number, source and date.', Icon: BadgeCheck },
  { title: 'Sustainable Focus', text: 'Search around your own city, so the farm down the road is easy to find.', Icon: Sprout },
]

/** `content` is null in the app, because only the static page has it. Makes no requests. */
export function LandingScreen({ content = null }: { content?: LandingContent | null }) {
  return (
    <>
      <Hero />
      {content && <RealThings content={content} />}
      <Features />
      <Plans />
      <ForBusinesses />
    </>
  )
}

function Hero() {
  return (
    <section className="landing-hero relative isolate">
      <HeroScene />
      <div className="relative mx-auto max-w-page px-4 pt-12 sm:px-6 sm:pt-16 lg:pt-20">
        <p className="font-medium text-leaf">{brand.tagline}</p>
        <h1 className="mt-3 max-w-[14ch] text-3xl sm:text-4xl">
          <span className="block">Your Brand. </span>
          <span className="block">Your Culture. </span>
          <span className="block">Your Network</span>
        </h1>
        <p className="mt-5 max-w-[44ch] text-lg">
          Licensed farms, dispensaries and related businesses, from public license records. No one can pay to rank higher.
        </p>
        <div className="mt-7">
          <a href={signInUrl} className={buttonClass('primary', 'lg', 'min-w-44')}>
            Sign Up
          </a>
        </div>
        <div className="mt-8">
          <p className="font-medium">Own a business?</p>
          <div className="mt-2.5 flex flex-wrap gap-2.5">
            <a href={businessSignInUrl} className={buttonClass('secondary')}>
              Business Sign In
            </a>
            <a href={registerUrl} className={buttonClass('secondary')}>
              Register Your Business
            </a>
          </div>
        </div>
      </div>
    </section>
  )
}

function Features() {
  return (
    <section className="mx-auto max-w-page px-4 py-16 sm:px-6 sm:py-24">
      <h2 className="mx-auto max-w-[22ch] text-center text-2xl sm:text-3xl">Everything You Need to Stay Connected</h2>
      {/* Looks like panes of a window. The frame hides their outer borders. */}
      <div className="mt-10 overflow-clip rounded-card border border-line bg-surface sm:mt-12">
        <ul className="-mr-px -mb-px grid sm:grid-cols-2 lg:grid-cols-3">
          {features.map(({ title, text, Icon }) => (
            <li key={title} className="border-line border-r border-b p-6 sm:p-8">
              <span className="grid size-11 place-items-center rounded-full bg-leaf-soft text-leaf">
                <Icon aria-hidden="true" className="size-5.5" strokeWidth={1.75} />
              </span>
              <h3 className="mt-5 text-lg">{title}</h3>
              <p className="mt-1.5 max-w-[38ch] text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function Plans() {
  return (
    <section className="border-line border-y bg-sunk">
      <div className="mx-auto max-w-page px-4 py-16 sm:px-6 sm:py-24">
        <h2 className="text-center text-2xl sm:text-3xl">Choose Your Subscription</h2>
        <p className="mx-auto mt-3 max-w-[52ch] text-center text-muted">
          An account is free, and so are searching, favorites, following and communities. VIP includes all of Pro.
        </p>
        <ul className="mt-10 grid items-stretch gap-5 sm:mt-12 lg:grid-cols-3">
          {memberPlans.map((plan) => (
            <li key={plan.id}>
              <PlanCard plan={plan}>
                <a href={signInUrl} className={buttonClass(plan.badge ? 'primary' : 'secondary', 'lg', 'w-full')}>
                  {plan.buttonText}
                </a>
              </PlanCard>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function ForBusinesses() {
  return (
    <section className="mx-auto max-w-page px-4 py-16 sm:px-6 sm:py-24">
      <div
        data-theme="dark"
        className="landing-business relative isolate overflow-clip rounded-card border border-line bg-surface px-6 text-ink py-12 sm:px-12 sm:py-16"
      >
        <Fanlight className="landing-business-window" />
        <div className="relative max-w-[34rem]">
          <h2 className="text-2xl sm:text-3xl">Own a Cannabis Business?</h2>
          <p className="mt-4 text-lg">
            A profile, ratings and a listing in the directory are free. Once verified, your license is shown on your page.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <a href={registerUrl} className={buttonClass('primary', 'lg')}>
              Register Your Business
            </a>
            <Link to="/$brandSlug" params={{ brandSlug: brand.slug }} hash="business" className={buttonClass('secondary', 'lg')}>
              Learn More<span className="sr-only"> about the plans for businesses</span>
            </Link>
          </div>
        </div>
      </div>
    </section>
  )
}

function RealThings({ content: { cities, menus, reviews } }: { content: LandingContent }) {
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
