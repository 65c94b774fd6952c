import { Link, linkOptions, useRouter } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { brand } from '#web/lib/boot.ts'
import { signInUrl } from '#web/lib/route-access.ts'
import { BrandMark } from '#web/ui/brand-mark.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'
import { quietLink } from '#web/ui/link-styles.ts'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'

type AppFrameProps = {
  header?: ReactNode
  hasFooter?: boolean
  bottomBar?: ReactNode
  children: ReactNode
}

/** Every screen needs exactly one `h1`; see {@link useScreenHeading}. */
export function AppFrame({ header, hasFooter = false, bottomBar, children }: AppFrameProps) {
  const main = useRef<HTMLElement>(null)
  useScreenHeading(main)
  return (
    <div className={cx('flex min-h-dvh flex-col', Boolean(bottomBar) && 'max-md:pb-[calc(3.5rem+env(safe-area-inset-bottom))]')}>
      <SkipLink target={main} />
      {header}
      <main id={mainId} ref={main} tabIndex={-1} className="flex-1">
        {children}
      </main>
      {hasFooter && <Footer />}
      {bottomBar}
    </div>
  )
}

function Footer() {
  return (
    <footer className="border-line border-t bg-sunk">
      <div className="mx-auto grid max-w-page gap-x-8 gap-y-10 px-4 pt-12 pb-8 sm:grid-cols-3 sm:px-6 lg:grid-cols-[1.5fr_1fr_1fr_1fr]">
        <div className="grid content-start justify-items-start gap-4 sm:col-span-3 lg:col-span-1">
          <p className="flex items-center gap-2.5">
            <BrandMark />
            <span className="font-display text-lg">{brand.name}</span>
          </p>
          <p className="max-w-[24ch] text-muted">{brand.tagline}</p>
          <ThemeSwitch />
        </div>
        {footerColumns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="mb-3 font-semibold font-text text-sm tracking-normal">{title}</h2>
            <ul className="grid gap-2.5 pointer-coarse:gap-5">
              {links.map(({ label, link }) => (
                <li key={label}>
                  <Link {...link} className={quietLink}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div className="flex flex-wrap justify-between gap-x-8 gap-y-1 border-line border-t pt-6 text-muted text-sm sm:col-span-full">
          <p>{brand.copyright}</p>
          <p>Licensed cannabis marketplace platform</p>
        </div>
      </div>
    </footer>
  )
}

/** For public pages. Signed-in people get {@link file://./member-frame.tsx}, except on pages without the app. */
export function VisitorHeader({ isSignedIn = false }: { isSignedIn?: boolean }) {
  return (
    <HeaderBar>
      <BrandLink to={isSignedIn ? '/' : '/landing'} />
      <a href={isSignedIn ? '/' : signInUrl} className={buttonClass('secondary', 'md', 'ml-auto')}>
        {isSignedIn ? 'Home' : 'Sign In'}
      </a>
    </HeaderBar>
  )
}

function SkipLink({ target }: { target: RefObject<HTMLElement | null> }) {
  return (
    <a
      href={`#${mainId}`}
      className={buttonClass('primary', 'md', 'fixed top-3 left-3 z-50 not-focus:sr-only')}
      onClick={(event) => {
        // The default jump would add the hash to the address.
        event.preventDefault()
        target.current?.focus()
        target.current?.scrollIntoView()
      }}
    >
      Skip to content
    </a>
  )
}

const mainId = 'main'

/**
 * Sets the document title to the text or `data-title` of the screen's `h1` inside `main`. After navigating to another path, focuses the
 * heading, so screen readers announce the screen and Tab starts at its content. Doesn't take focus from a screen that set it, or from a
 * person who moved on while the screen was loading.
 */
function useScreenHeading(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    const element = main.current
    if (!element) return
    let left: string | null = null
    let isArriving = false
    let origin: Element | null = null
    let hasActed = false
    const act = () => {
      hasActed = true
    }

    const meetHeading = () => {
      const heading = element.querySelector('h1')
      const text = heading && (heading.dataset.title ?? heading.textContent)
      if (!heading || !text) return
      changeTitle({ text: `${text} · ${brand.name}` })
      // The previous screen's heading, which is visible while loading, must not take focus.
      if (!isArriving || text === left) return
      isArriving = false
      const active = document.activeElement
      if (active && active !== element && element.contains(active)) return
      if (hasActed && active !== document.body && active !== element && active !== origin) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }

    const unsubscribe = [
      router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || !fromLocation) return
        hasActed = false
        origin = document.activeElement
        const heading = element.querySelector('h1')
        left = heading && (heading.dataset.title ?? heading.textContent)
      }),
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || !fromLocation) return
        isArriving = true
        meetHeading()
      }),
    ]
    const observer = new MutationObserver(meetHeading)
    observer.observe(element, { childList: true, characterData: true, subtree: true })
    document.addEventListener('pointerdown', act, true)
    document.addEventListener('keydown', act, true)
    meetHeading()
    return () => {
      document.removeEventListener('pointerdown', act, true)
      document.removeEventListener('keydown', act, true)
      for (const stop of unsubscribe) stop()
      observer.disconnect()
    }
  }, [main, router])
}

/** The specification lists all of these links but the last two. */
const footerColumns = [
  {
    title: 'For Consumers',
    links: [
      { label: 'Browse Businesses', link: linkOptions({ to: '/discover' }) },
      { label: 'Subscription Plans', link: linkOptions({ to: '/$brandSlug', params: { brandSlug: brand.slug } }) },
      { label: 'Your Favorites', link: linkOptions({ to: '/favorites' }) },
      { label: 'Community Guidelines', link: linkOptions({ to: '/guidelines' }) },
    ],
  },
  {
    title: 'For Businesses',
    links: [
      { label: 'Register Your Business', link: linkOptions({ to: '/business/register' }) },
      { label: 'Upload Menu', link: linkOptions({ to: '/resources', hash: 'menus' }) },
      { label: 'Analytics Dashboard', link: linkOptions({ to: '/resources', hash: 'analytics' }) },
      { label: 'Business Resources', link: linkOptions({ to: '/resources' }) },
    ],
  },
  {
    title: 'Support',
    links: [
      { label: 'Help Center', link: linkOptions({ to: '/help' }) },
      { label: 'Contact Us', link: linkOptions({ to: '/contact' }) },
      { label: 'Privacy Policy', link: linkOptions({ to: '/privacy' }) },
      { label: 'Terms of Service', link: linkOptions({ to: '/terms' }) },
      { label: 'Where the data comes from', link: linkOptions({ to: '/data' }) },
      { label: 'Accessibility', link: linkOptions({ to: '/accessibility' }) },
    ],
  },
]

export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-40 h-16 border-line border-b bg-ground/92 backdrop-blur-md supports-[not(backdrop-filter:blur(1px))]:bg-ground">
      <div className="mx-auto flex h-full max-w-page items-center gap-3 px-4 sm:gap-6 sm:px-6">{children}</div>
    </header>
  )
}

export function BrandLink({ to }: { to: '/' | '/landing' }) {
  return (
    <Link to={to} className="-mx-1.5 flex min-h-11 shrink-0 items-center gap-2.5 rounded-tag px-1.5">
      <BrandMark />
      <span className="font-display text-[1.3125rem] tracking-[-0.01em]">{brand.name}</span>
    </Link>
  )
}

const title = { prefix: '', text: document.title }

export function changeTitle(part: Partial<typeof title>): void {
  Object.assign(title, part)
  document.title = title.prefix + title.text
}
