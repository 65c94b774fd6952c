import { lazy, Suspense } from 'react'
import { supportAnswerDays } from '../../../contracts/support.ts'
import { brand } from '../../lib/boot.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PublicPage, type PublicSection } from './public-page.tsx'
import { PageLink, SupportMail, supportMailUrl } from './text-links.tsx'

const sections: PublicSection[] = [
  {
    id: 'write',
    title: 'Write to us',
    body: (
      <>
        <p>
          Everything goes to one address: <SupportMail />. A person reads it and answers by email: within {supportAnswerDays.usual} business
          days, and within {supportAnswerDays.priority} business day for members with VIP and for businesses with Verified, Pro Partner or
          Business Tools.
        </p>
        <Write />
      </>
    ),
  },
  {
    id: 'topics',
    title: 'What to put in',
    body: (
      <dl>
        <div>
          <dt>
            <SupportMail subject="A listing is wrong">A listing is wrong</SupportMail>
          </dt>
          <dd>The address of its page, what is wrong, what is right, and where we can see that.</dd>
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
          <dd>The address of its page, if there is one, and the license number with its state.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="A rule was broken">Someone breaks the rules</SupportMail>
          </dt>
          <dd>The page’s address and the rule. We don’t share your name.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="My data">Your data</SupportMail>
          </dt>
          <dd>Whether you want a copy, a correction or the deletion of your account.</dd>
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
          The <PageLink to="/help">help center</PageLink> answers what people ask most, and{' '}
          <PageLink to="/resources">business resources</PageLink> what owners ask.
        </p>
        <p>
          We cannot sell you anything, recommend a dose or give advice on health or law. For a shop’s hours and stock ask the shop; its
          phone and website are on its page.
        </p>
      </>
    ),
  },
]

const SupportForm = lazy(() => import('./support-form.tsx'))

/** Signed in, a form that knows who has priority support; a visitor writes a mail. */
function Write() {
  const user = useCurrentUser()
  if (!user) {
    return (
      <p>
        <a href={supportMailUrl()} className={buttonClass('primary', 'lg')}>
          Write an email
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
