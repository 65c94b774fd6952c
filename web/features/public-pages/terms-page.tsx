import { brand } from '../../lib/boot.ts'
import { PublicPage, type PublicSection } from './public-page.tsx'
import { PageLink, SupportMail } from './text-links.tsx'

const sections: PublicSection[] = [
  {
    id: 'what',
    title: 'What this is',
    body: (
      <p>
        {brand.name} is a directory of and a meeting place for the legal cannabis trade. It is not a shop: nothing is sold, ordered,
        reserved or delivered through it, and we are no party to what you and a business agree on elsewhere.
      </p>
    ),
  },
  {
    id: 'age',
    title: 'You are 18 or older',
    body: (
      <p>
        You confirm that you are at least 18 years old and that your birthday is true. Where the law of a place asks for a higher age, it
        applies. An account of somebody younger is closed.
      </p>
    ),
  },
  {
    id: 'legal',
    title: 'Legal trade only',
    body: (
      <p>
        Use {brand.name} only for what is legal where you are and where the business is. Cannabis is regulated differently in every state
        and country, and it remains illegal under United States federal law. To know what applies to you is up to you.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <p>
        One person, one account. Keep your password to yourself and tell us if somebody else has it. You can leave at any time: see{' '}
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
          It stays yours. You allow us to show it here for as long as it is here, and you are answerable for it. It follows the{' '}
          <PageLink to="/guidelines">community guidelines</PageLink>: honest, decent, no claims about health, nobody’s private matters.
        </p>
        <p>What breaks them may be hidden or removed, and whoever keeps breaking them may lose the account.</p>
      </>
    ),
  },
  {
    id: 'businesses',
    title: 'If you list a business',
    body: (
      <p>
        You are entitled to speak for it, what you say about it is true, and it holds the licenses that it needs. A number you enter counts
        as verified only once it matches the register and you have proven that you control it.
      </p>
    ),
  },
  {
    id: 'rank',
    title: 'Rank is not for sale',
    body: <p>Listings are ordered by ratings, then by distance. No plan, payment or favor changes that, and we offer none that would.</p>,
  },
  {
    id: 'plans',
    title: 'Plans and payments',
    body: (
      <p>
        Prices are shown with each plan, per month. A plan or a subscription runs until you cancel it, which you can do at any time under
        Billing; it then ends with the month that is paid. Where this server is in test mode, it says so beside every button, and no money
        moves.
      </p>
    ),
  },
  {
    id: 'data',
    title: 'What we do not promise',
    body: (
      <>
        <p>
          Licenses come from public registers as they were read on a certain day; they may have changed since. The authority alone knows how
          a license stands today. Ratings and posts are the opinions of those who wrote them.
        </p>
        <p>
          Nothing here is advice on health or law. The service is offered as it is, may be interrupted and may have errors. Where the law
          lets us limit our liability, it is limited to intent and gross negligence.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes, and who we are',
    body: (
      <>
        <p>If these terms change, the date above changes with them. Whoever goes on using {brand.name} afterwards accepts the new ones.</p>
        <p>
          Your partner is whoever runs this server: <SupportMail />. These terms come with the software. The operator may replace them, and
          should have a lawyer look at them for the place where the server stands.
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
      changed="November 21, 2026"
      sections={sections}
    />
  )
}
