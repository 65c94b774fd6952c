import { lazy } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { AccountPart } from './account-part.tsx'
import { LazyPart } from './lazy-part.tsx'
import { NotificationsPart } from './notifications-part.tsx'
import { PrivacyPart } from './privacy-part.tsx'
import { ProfilePart } from './profile-part.tsx'
import { SectionNav } from './section-nav.tsx'
import { SupportPart } from './support-part.tsx'
import { useCurrentSection } from './use-current-section.ts'

const UnitsPart = lazy(() => import('../units/units-part.tsx'))
const InstallPart = lazy(() => import('../install/install-part.tsx'))
const SignInPart = lazy(() => import('../sign-in/sign-in-part.tsx'))
const OwnDataPart = lazy(() => import('../own-data/own-data-part.tsx'))

/** The page /settings: one page of sections, each with an anchor. */
export function SettingsScreen() {
  const user = useCurrentUser()
  // Whoever is signed out meets the sign-in here: see web/lib/route-access.ts.
  return user && <Settings user={user} />
}

function Settings({ user }: { user: CurrentUser }) {
  const current = useCurrentSection()
  return (
    <div className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Settings" description="Your profile, your account, and what you see and share." />
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-5 lg:mt-8 lg:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-10">
        <SectionNav current={current} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:max-w-[46rem]">
          <ProfilePart user={user} />
          <AccountPart user={user} />
          <PrivacyPart />
          <NotificationsPart />
          <LazyPart id="units" title="Units and language" Part={UnitsPart} />
          <LazyPart id="sign-in" title="Sign-in and security" Part={SignInPart} />
          <LazyPart id="data" title="Your data" Part={OwnDataPart} />
          <LazyPart id="install" title="On your home screen" Part={InstallPart} />
          <SupportPart />
        </div>
      </div>
    </div>
  )
}
