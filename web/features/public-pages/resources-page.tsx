import { businessToolsPlan, freeAllowance } from '../../../contracts/business-plans.ts'
import { formatMonthlyPrice } from '../../../contracts/plans.ts'
import { brand } from '../../lib/boot.ts'
import { PublicPage, type PublicSection } from './public-page.tsx'
import { PageLink, SupportMail } from './text-links.tsx'

const sections: PublicSection[] = [
  {
    id: 'listed',
    title: 'You may be listed already',
    body: (
      <>
        <p>
          The directory starts from the public license registers of 18 states. A listing that nobody has taken over says so on its page.
          Look for yours before you register: type its name or its city into the search box.
        </p>
        <p>
          If it is there, write to <SupportMail subject="My listing" /> with the address of the page and your license number, from an
          address at your business’s own domain if you have one. We ask for proof before anything changes hands.
        </p>
      </>
    ),
  },
  {
    id: 'register',
    title: 'Register your business',
    body: (
      <>
        <p>
          <PageLink to="/business/register">Registration</PageLink> takes four short steps: the kind of account, your birthday, yourself and
          your business. It is open to farms, dispensaries, smoke shops, glass shops, food service, delivery and whoever else supports the
          trade.
        </p>
        <p>Your page shows at once what you fill in: name, place, description, phone and website. A farm’s street is never published.</p>
      </>
    ),
  },
  {
    id: 'licenses',
    title: 'Licenses',
    body: (
      <>
        <p>
          Give your license number as it stands on the license. It becomes a verified license at once when number, state, name and type
          match the register; otherwise two of us look at the document. Until then it is a number that you stated, and your page shows no
          badge for it.
        </p>
        <p>
          A verified license cannot be bought: it goes when the license expires or the register no longer lists it as active. The gold badge
          “Verified” takes both, a plan that has it and a verified license. How the registers are read is told in{' '}
          <PageLink to="/data">where the data comes from</PageLink>.
        </p>
      </>
    ),
  },
  {
    id: 'menus',
    title: 'Menus',
    body: (
      <>
        <p>
          A menu editor is not part of {brand.name} yet, so there is nothing to upload to. The Products tab of your page says that no
          products are available.
        </p>
        <p>
          To be ready, keep a list with name, category, price and description of each product; a spreadsheet will do.{' '}
          {freeAllowance.menuItems} menu items belong to every free business. Products are shown to viewers of the age that the law of your
          place asks for.
        </p>
      </>
    ),
  },
  {
    id: 'analytics',
    title: 'Analytics',
    body: (
      <p>
        There is no analytics dashboard yet. What you can see today stands on your page: your average rating, how many people rated you, and
        how many subscribe to you. We count no visitors behind their backs and sell nobody’s data.
      </p>
    ),
  },
  {
    id: 'free',
    title: 'What is free',
    body: (
      <>
        <p>Every business has this without paying, and keeps it:</p>
        <ul>
          <li>a profile in the directory and on the map</li>
          <li>ratings and reviews</li>
          <li>
            {freeAllowance.menuItems} menu items and {freeAllowance.locations} locations
          </li>
          <li>basic notifications</li>
        </ul>
      </>
    ),
  },
  {
    id: 'tools',
    title: 'What Business Tools add',
    body: (
      <>
        <p>{formatMonthlyPrice(businessToolsPlan.monthlyCents)} per month adds:</p>
        <ul>
          {businessToolsPlan.features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
        <p>
          The owner buys it on the Business Tools tab of the business’s page, and cancels it under Billing. All plans are on the{' '}
          <PageLink to="/$brandSlug" params={{ brandSlug: brand.slug }}>
            plans page
          </PageLink>
          .
        </p>
      </>
    ),
  },
  {
    id: 'rank',
    title: 'How the list is ranked',
    body: (
      <p>
        By ratings, then by distance from the visitor’s city. A new business starts in the middle, not at the bottom. No plan moves a
        listing up the list, and none ever will.
      </p>
    ),
  },
]

export function ResourcesPage() {
  return (
    <PublicPage
      title="Business resources"
      lead={`How to be found on ${brand.name}, what it costs, and what is checked.`}
      sections={sections}
    />
  )
}
