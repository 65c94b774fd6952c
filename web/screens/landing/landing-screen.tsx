import { Link } from '@tanstack/react-router'
import { BadgeCheck, BellRing, Heart, KeyRound, type LucideIcon, Sprout, Star } from 'lucide-react'
import { memberPlans } from '#contracts/plans.ts'
import type { LandingContent } from '#contracts/visitor-pages.ts'
import { PlanCard } from '#web/entities/plans/plan-card.tsx'
import { brand } from '#web/lib/boot.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { RealThings } from './real-things.tsx'
import { Fanlight } from './scene/fanlight.tsx'
import { HeroScene } from './scene/hero-scene.tsx'
import './landing-screen.css'

/** All buttons that sign in, sign up, choose a plan or register lead here, as specified. */
const signInUrl = '/api/login'
/** The same, and on to the registration of a business. */
const businessUrl = '/api/login?returnTo=/business/register'

const features: { title: string; text: string; Icon: LucideIcon }[] = [
  { title: 'Exclusive Access', text: 'Subscribe to unlock a business’s subscriber-only posts.', Icon: KeyRound },
  { title: 'Rate & Review', text: 'Every rating counts once, and averages are always exact.', Icon: Star },
  { title: 'Follow & Favorite', text: 'Save the places you like on one page and find them again fast.', Icon: Heart },
  { title: 'Real-time Updates', text: 'New posts appear as soon as they’re published.', Icon: BellRing },
  { title: 'Verified Businesses', text: 'Licenses come from public registers, shown with number, source and date.', Icon: BadgeCheck },
  { title: 'Sustainable Focus', text: 'Search around your own city, so the farm down the road is easy to find.', Icon: Sprout },
]

/** The page for visitors. It makes no requests; `content` is null in the app, where only the static page has it. */
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
            <a href={businessUrl} className={buttonClass('secondary')}>
              Business Sign In
            </a>
            <a href={businessUrl} className={buttonClass('secondary')}>
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
      {/* Styled as panes of a window; the outer borders are hidden under the frame's. */}
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
            <a href={businessUrl} className={buttonClass('primary', 'lg')}>
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
