import { brand } from '#web/lib/boot.ts'
import { PageLink, PublicPage, type PublicSection, SupportMail } from './public-page.tsx'

const sections: PublicSection[] = [
  {
    id: 'what',
    title: 'What this is',
    body: (
      <p>
        {brand.name} is a directory and meeting place for the legal cannabis trade. It isn’t a shop: nothing is sold, ordered, reserved or
        delivered through it, and we aren’t a party to what you and a business agree on elsewhere.
      </p>
    ),
  },
  {
    id: 'age',
    title: 'You are 18 or older',
    body: (
      <p>
        You confirm that you’re at least 18 years old and that your birthday is correct. If the law where you are requires a higher age,
        that age applies. We close accounts of anyone younger.
      </p>
    ),
  },
  {
    id: 'legal',
    title: 'Legal trade only',
    body: (
      <p>
        Use {brand.name} only for what is legal where you are and where the business is. Cannabis is regulated differently in every state
        and country, and it remains illegal under United States federal law. You’re responsible for knowing which laws apply to you.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <p>
        One account per person. Keep your password to yourself, and tell us if someone else has it. You can leave at any time. See{' '}
        <PageLink to="/privacy" hash="rights">
          your rights
        </PageLink>
        .
      </p>
    ),
  },
  {
    id: 'content',
    title: 'What you publish',
    body: (
      <>
        <p>
          Your content remains yours. You allow us to show it for as long as it’s here, and you’re responsible for it. It must follow the{' '}
          <PageLink to="/guidelines">community guidelines</PageLink>: be honest and decent, make no health claims and respect people’s
          privacy.
        </p>
        <p>We may hide or remove content that breaks the guidelines. People who keep breaking them may lose their account.</p>
      </>
    ),
  },
  {
    id: 'businesses',
    title: 'If you list a business',
    body: (
      <p>
        By listing a business, you confirm that you’re entitled to speak for it, that what you say about it is true and that it has the
        licenses it needs. A number you enter counts as verified only once it matches the register and you’ve proven that you control it.
      </p>
    ),
  },
  {
    id: 'plans',
    title: 'Plans and payments',
    body: (
      <p>
        Prices are shown with each plan, per month. A plan or subscription continues until you cancel it, which you can do at any time under
        Billing. It then ends when the month you’ve paid for is over. If this server is in test mode, every button says so, and no money
        moves.
      </p>
    ),
  },
  {
    id: 'data',
    title: 'What we don’t promise',
    body: (
      <>
        <p>
          Licenses come from public registers as of a certain date and may have changed since. Only the authority knows a license’s current
          status. Ratings and posts are their authors’ opinions.
        </p>
        <p>
          Nothing here is medical or legal advice. The service is provided as is, may be interrupted and may have errors. Where the law lets
          us limit our liability, we’re liable only for willful misconduct and gross negligence.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes, and who we are',
    body: (
      <>
        <p>If these terms change, so does the date above. By continuing to use {brand.name} after that, you accept the new terms.</p>
        <p>
          Your agreement is with the operator of this server: <SupportMail />. These terms come with the software. The operator may replace
          them and should have a lawyer review them for the server’s location.
        </p>
      </>
    ),
  },
]

export function TermsPage() {
  return (
    <PublicPage
      title="Terms of service"
      lead={`What you agree to when you use ${brand.name}.`}
      changed="November 30, 2026"
      sections={sections}
    />
  )
}
