// Made of constants or rendered rarely: the React compiler's caches would only add to what every visitor loads first.
'use no memo'

import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { cx } from '../../ui/cx.ts'
import { Footer } from './footer.tsx'
import { BrandLink, HeaderBar } from './header-bar.tsx'
import { LandingHeader } from './landing-header.tsx'
import { SimpleHeader } from './simple-header.tsx'
import { mainId, SkipLink } from './skip-link.tsx'
import { useScreenHeading } from './use-screen-heading.ts'

// Visitors never see these; for members they come beside the code of the screen itself.
type MemberFrame = Pick<typeof import('./member-frame.tsx'), 'TopHeader' | 'MemberSimpleHeader' | 'BottomBar'>
let loaded: MemberFrame | null = null
export async function loadMemberFrame(): Promise<MemberFrame> {
  const { TopHeader, MemberSimpleHeader, BottomBar } = await import('./member-frame.tsx')
  loaded = { TopHeader, MemberSimpleHeader, BottomBar }
  return loaded
}
const lazyFrame = {
  TopHeader: lazy(async () => ({ default: (await loadMemberFrame()).TopHeader })),
  MemberSimpleHeader: lazy(async () => ({ default: (await loadMemberFrame()).MemberSimpleHeader })),
  BottomBar: lazy(async () => ({ default: (await loadMemberFrame()).BottomBar })),
}
/** `lazy` shows that it waits even where its code is there: for a moment the header that came with the page would be gone. */
const useMemberFrame = (): MemberFrame | typeof lazyFrame => useState(() => loaded ?? lazyFrame)[0]

/** `none` is for a screen that stands alone: no header, no bottom bar, no footer. */
export type FrameHeader = 'top' | 'simple' | 'landing' | 'none'

/** What stands around every screen. The screen has one `h1`; see {@link useScreenHeading} for what hangs on it. */
export function AppFrame({ header, children }: { header: FrameHeader; children: ReactNode }) {
  const user = useCurrentUser()
  const main = useRef<HTMLElement>(null)
  useScreenHeading(main)
  const Frame = useMemberFrame()
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
          <Frame.BottomBar />
        </Suspense>
      )}
    </div>
  )
}

function Header({ header }: { header: FrameHeader }) {
  const user = useCurrentUser()
  const Frame = useMemberFrame()
  if (header === 'none') return null
  if (header === 'landing') return <LandingHeader />
  if (!user) return <SimpleHeader />
  const empty = (
    <HeaderBar>
      <BrandLink to="/" />
    </HeaderBar>
  )
  return (
    <Suspense fallback={empty}>{header === 'top' ? <Frame.TopHeader user={user} /> : <Frame.MemberSimpleHeader user={user} />}</Suspense>
  )
}
