import { brand } from '../../lib/boot.ts'
import { PublicPage, type PublicSection } from './public-page.tsx'
import { PageLink, SupportMail } from './text-links.tsx'

const sections: PublicSection[] = [
  {
    id: 'start',
    title: 'Getting started',
    body: (
      <>
        <h3>Who may use {brand.name}?</h3>
        <p>
          Everybody of 18 years or more. Products and promotions of a business are shown from the age that the law of its place asks for,
          which is 21 for adult use in the United States.
        </p>
        <h3>Why do you ask for my birthday?</h3>
        <p>To know both of those ages on the day. Nobody else sees it.</p>
        <h3>Which account do I need?</h3>
        <p>
          A personal account, to find places and keep them. A business account, to list a business of your own: see{' '}
          <PageLink to="/resources">business resources</PageLink>. Both are free.
        </p>
      </>
    ),
  },
  {
    id: 'find',
    title: 'Finding a place',
    body: (
      <>
        <h3>How do I search?</h3>
        <p>
          Type a name, a city or a ZIP code into the search box. A place also finds what is near it. Filters narrow the list to farms,
          dispensaries or other trades; the map shows the same results.
        </p>
        <h3>Who decides what stands first?</h3>
        <p>
          Ratings, then distance. One rating alone moves a place only a little, so that many visitors count for more than one friend. No
          plan, badge or payment moves a listing up.
        </p>
        <h3>What does the license badge mean?</h3>
        <p>
          That the license of the business stands in the register of its state, on the day the register was read. A business page shows the
          number, the authority and that day. <PageLink to="/data">Where the data comes from</PageLink> tells the rest.
        </p>
        <h3>Why is a farm’s pin in the middle of its city?</h3>
        <p>On purpose. Where plants grow is nobody’s business, so a farm is never placed more exactly than its city.</p>
      </>
    ),
  },
  {
    id: 'keep',
    title: 'Favorites and subscriptions',
    body: (
      <>
        <h3>How do I keep a place?</h3>
        <p>Press the heart on its card or its page. Your favorites are on a page of their own, newest first, and only you see them.</p>
        <h3>What does subscribing do?</h3>
        <p>
          Posts that a business keeps for its subscribers open for you. Most subscriptions are free; where a business asks for a price, its
          page says so before anything is bought. You can end a subscription on the same page at any time: what is paid runs to the end of
          its month. What you pay for, and the receipts, are under Billing in your account’s menu.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <>
        <h3>I forgot my password</h3>
        <p>
          Choose “Forgot your password?” where you sign in. A link to set a new one is mailed to you; it works once, within an hour, and
          signs out every device.
        </p>
        <h3>The mail does not arrive</h3>
        <p>Look into the spam folder, and check that you typed the address you registered with. The subject says nothing about cannabis.</p>
        <h3>I want to change my email address, or delete my account</h3>
        <p>
          Write to <SupportMail subject="My account" /> from the address of your account. Never send your password; we do not need it.
        </p>
      </>
    ),
  },
  {
    id: 'wrong',
    title: 'Something is wrong',
    body: (
      <>
        <h3>A listing has an error</h3>
        <p>
          <PageLink to="/data" hash="errors">
            Tell us what is wrong
          </PageLink>{' '}
          and how you know. A link to the license or to the website of the business helps most.
        </p>
        <h3>Somebody breaks the rules</h3>
        <p>
          Send us the address of the page. The rules are in the <PageLink to="/guidelines">community guidelines</PageLink>.
        </p>
        <h3>Something else</h3>
        <p>
          <PageLink to="/contact">Contact us</PageLink>; a person reads it.
        </p>
      </>
    ),
  },
]

export function HelpPage() {
  return <PublicPage title="Help center" lead="Short answers to what people ask most." sections={sections} />
}
