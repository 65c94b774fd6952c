import { brand } from '../../lib/boot.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { PublicPage, type PublicSection } from './public-page.tsx'
import { PageLink, SupportMail, supportMailUrl } from './text-links.tsx'

const sections: PublicSection[] = [
  {
    id: 'write',
    title: 'Write to us',
    body: (
      <>
        <p>
          Everything goes to one address: <SupportMail />. A person reads it and answers from there.
        </p>
        <p>
          <a href={supportMailUrl()} className={buttonClass('primary', 'lg')}>
            Write a mail
          </a>
        </p>
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
          <dd>Write from the email address of the account. Never send a password.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="My business">Your business</SupportMail>
          </dt>
          <dd>The address of its page, if there is one, and the license number with its state.</dd>
        </div>
        <div>
          <dt>
            <SupportMail subject="A rule was broken">Somebody breaks the rules</SupportMail>
          </dt>
          <dd>The address of the page and the rule. You stay unnamed.</dd>
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
          <dd>What you did and what happened. Please give us time to mend it before you tell others.</dd>
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

export function ContactPage() {
  return <PublicPage title="Contact us" lead={`How to reach the people who run ${brand.name}.`} sections={sections} />
}
