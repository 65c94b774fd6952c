// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { cx } from '../../ui/cx.ts'
import { Footer } from './footer.tsx'
import { BrandLink, HeaderBar } from './header-bar.tsx'
import { SimpleHeader } from './simple-header.tsx'
import { mainId, SkipLink } from './skip-link.tsx'
import { useScreenHeading } from './use-screen-heading.ts'

// Of these each sees only some; they come beside the code of the screen itself.
type Parts = Pick<typeof import('./member-frame.tsx'), 'TopHeader' | 'MemberSimpleHeader' | 'BottomBar'> &
  Pick<typeof import('./landing-header.tsx'), 'LandingHeader'>
let loaded: Partial<Parts> = {}
export async function loadMemberFrame(): Promise<Pick<Parts, 'TopHeader' | 'MemberSimpleHeader' | 'BottomBar'>> {
  const { TopHeader, MemberSimpleHeader, BottomBar } = await import('./member-frame.tsx')
  loaded = { ...loaded, TopHeader, MemberSimpleHeader, BottomBar }
  return { TopHeader, MemberSimpleHeader, BottomBar }
}
export async function loadLandingHeader(): Promise<Pick<Parts, 'LandingHeader'>> {
  const { LandingHeader } = await import('./landing-header.tsx')
  loaded = { ...loaded, LandingHeader }
  return { LandingHeader }
}
const lazyParts = {
  TopHeader: lazy(async () => ({ default: (await loadMemberFrame()).TopHeader })),
  MemberSimpleHeader: lazy(async () => ({ default: (await loadMemberFrame()).MemberSimpleHeader })),
  BottomBar: lazy(async () => ({ default: (await loadMemberFrame()).BottomBar })),
  LandingHeader: lazy(async () => ({ default: (await loadLandingHeader()).LandingHeader })),
}
/** `lazy` shows that it waits even where its code is there: for a moment the header that came with the page would be gone. */
const useParts = (): Parts | typeof lazyParts => useState(() => ({ ...lazyParts, ...loaded }))[0] as Parts | typeof lazyParts

/** `none` is for a screen that stands alone: no header, no bottom bar, no footer. */
export type FrameHeader = 'top' | 'simple' | 'landing' | 'none'

/** What stands around every screen. The screen has one `h1`; see {@link useScreenHeading} for what hangs on it. */
export function AppFrame({ header, children }: { header: FrameHeader; children: ReactNode }) {
  const user = useCurrentUser()
  const main = useRef<HTMLElement>(null)
  useScreenHeading(main)
  const Part = useParts()
  const hasBottomBar = user?.hasCompletedOnboarding && header !== 'none'
  return (
    <div className={cx('flex min-h-dvh flex-col', hasBottomBar && 'max-md:pb-[calc(3.5rem+env(safe-area-inset-bottom))]')}>
      <SkipLink target={main} />
      <Header header={header} />
      <main id={mainId} ref={main} tabIndex={-1} className="flex-1">
        {children}
      </main>
      {header !== 'none' && <Footer />}
      {hasBottomBar && (
        <Suspense>
          <Part.BottomBar />
        </Suspense>
      )}
    </div>
  )
}

function Header({ header }: { header: FrameHeader }) {
  const user = useCurrentUser()
  const Part = useParts()
  if (header === 'none') return null
  if (!user && header !== 'landing') return <SimpleHeader />
  const empty = (
    <HeaderBar>
      <BrandLink to={header === 'landing' ? '/landing' : '/'} />
    </HeaderBar>
  )
  return (
    <Suspense fallback={empty}>
      {header === 'landing' ? (
        <Part.LandingHeader />
      ) : (
        user && (header === 'top' ? <Part.TopHeader user={user} /> : <Part.MemberSimpleHeader user={user} />)
      )}
    </Suspense>
  )
}
