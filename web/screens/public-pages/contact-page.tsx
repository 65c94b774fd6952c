import { lazy, Suspense } from 'react'
import { supportAnswerDays } from '#contracts/limits.ts'
import { brand } from '#web/lib/boot.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PageLink, PublicPage, type PublicSection, SupportMail, supportMailUrl } from './public-page.tsx'

const sections: PublicSection[] = [
  {
    id: 'write',
    title: 'Write to us',
    body: (
      <>
        <p>
          Send everything to one address: <SupportMail />. A person reads it and replies by email within {supportAnswerDays.usual} business
          days, or within {supportAnswerDays.priority} business day for members with VIP and for businesses with Verified, Pro Partner or
          Business Tools.
        </p>
        <Write />
      </>
    ),
  },
  {
    id: 'topics',
    title: 'What to include',
    body: (
      <dl>
        <div>
          <dt>
            <SupportMail subject="A listing is wrong">A listing is wrong</SupportMail>
          </dt>
          <dd>The page’s address, what’s wrong, what’s right and where we can check it.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="My account">Your account</SupportMail>
          </dt>
          <dd>Write from your account’s email address. Never send a password.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="My business">Your business</SupportMail>
          </dt>
          <dd>The address of its page, if it has one, and the license number and state.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="A rule was broken">Someone is breaking the rules</SupportMail>
          </dt>
          <dd>The page’s address and the rule. We won’t reveal your name.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="My data">Your data</SupportMail>
          </dt>
          <dd>Tell us if you want to get a copy of your data, correct it or delete your account.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="A security problem">A security problem</SupportMail>
          </dt>
          <dd>What you did and what happened. Please give us time to fix it before you tell others.</dd>
        </div>
      </dl>
    ),
  },
  {
    id: 'before',
    title: 'Before you write',
    body: (
      <>
        <p>
          The <PageLink to="/help">help center</PageLink> answers common questions, and{' '}
          <PageLink to="/resources">business resources</PageLink> answers owners’ questions.
        </p>
        <p>
          We can’t sell you anything, recommend a dose or give medical or legal advice. For hours and stock, contact the shop. Its phone
          number and website are on its page.
        </p>
      </>
    ),
  },
]

const SupportForm = lazy(() => import('./support-form.tsx'))

/** Members' requests may have priority. Visitors write an email. */
function Write() {
  const user = useCurrentUser()
  if (!user) {
    return (
      <p>
        <a href={supportMailUrl()} className={buttonClass('primary', 'lg')}>
          Email us
        </a>
      </p>
    )
  }
  return (
    <Suspense fallback={<Skeleton className="h-72" />}>
      <SupportForm email={user.email} />
    </Suspense>
  )
}

export function ContactPage() {
  return <PublicPage title="Contact us" lead={`How to reach the people who run ${brand.name}.`} sections={sections} />
}
