import { discreetCookie } from '../../../contracts/discreet-name.ts'
import { boot, brand } from '../../lib/boot.ts'
import { outsideHosts } from './outside-hosts.ts'
import { PublicPage, type PublicSection } from './public-page.tsx'
import { PageLink, SupportMail } from './text-links.tsx'

const cookies = [
  {
    name: `${brand.slug}.session_token`,
    purpose: 'Keeps you signed in. Only after you sign in.',
    lifetime: 'until 30 days after your last visit',
  },
  {
    name: `${brand.slug}.device`,
    purpose: "Marks a browser that you've signed in with, so that strangers who guess your password can't lock you out of it.",
    lifetime: '400 days',
  },
  { name: 'fresh', purpose: 'Lets you see at once what you just changed.', lifetime: '15 seconds' },
  { name: 'theme', purpose: 'Remembers light or dark. Only if you choose one.', lifetime: '1 year' },
  { name: 'lights', purpose: 'Remembers the dim look of the growing screens. Only if you choose it.', lifetime: '1 year' },
  { name: discreetCookie, purpose: 'Remembers the discreet name and icon. Only if you choose them.', lifetime: '1 year' },
  { name: `${brand.slug}.passkey`, purpose: 'Holds a sign-in with a passkey together until it is done.', lifetime: '5 minutes' },
]

const mapHosts = outsideHosts([boot.map.tileUrl, boot.map.pmtilesUrl], location.origin)

const sections: PublicSection[] = [
  {
    id: 'short',
    title: 'In short',
    body: (
      <ul>
        <li>We store what you type in, and what you do here needs: your favorites, subscriptions and sessions.</li>
        <li>No advertising, no tracking, no analytics scripts. Nothing is sold or passed on.</li>
        <li>Your location is a city that you write yourself.</li>
        <li>Your email address and birthday are shown to nobody but you.</li>
      </ul>
    ),
  },
  {
    id: 'stored',
    title: 'What we store',
    body: (
      <dl>
        <div>
          <dt>Your account</dt>
          <dd>Name, email address, birthday, kind of account, and a password as a hash from which it cannot be read.</dd>
        </div>
        <div>
          <dt>Your profile</dt>
          <dd>City, bio and interests, as far as you give them. A profile is private unless you make it public.</dd>
        </div>
        <div>
          <dt>What you keep and write</dt>
          <dd>Favorites and subscriptions with their day; ratings, reviews and posts with your name.</dd>
        </div>
        <div>
          <dt>Your business</dt>
          <dd>What you enter for its page. That part is public, but for a farm’s street and a license number that is not checked yet.</dd>
        </div>
        <div>
          <dt>Visits to business pages</dt>
          <dd>
            We count them for the business without storing who made them. A visitor is recognized for one day by a number made with a secret
            that is deleted when the day is over; single visits are deleted 13 months after their month, and only daily counts remain. Fewer
            than five visitors are never shown as a number.
          </dd>
        </div>
        <div>
          <dt>What you buy</dt>
          <dd>
            Plan, price, payments and receipts. Card and bank details stay with the payment provider and never reach us. What a business’s
            plan costs is seen by its owner alone.
          </dd>
        </div>
        <div>
          <dt>Where you are</dt>
          <dd>
            Not stored. Only if you press the button for places near you, your browser asks you first; what it answers is rounded to about
            half a mile and used for that search.
          </dd>
        </div>
        <div>
          <dt>Your sessions</dt>
          <dd>For each signed-in browser, how it names itself and when it was last used. No IP address.</dd>
        </div>
      </dl>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <>
        <p>All of them are ours and needed for what they do. There is nothing to consent to, so no banner asks you.</p>
        <dl>
          {cookies.map(({ name, purpose, lifetime }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {purpose} Lives {lifetime}.
              </dd>
            </div>
          ))}
        </dl>
        <p>
          What you typed into a form, never a password, is kept in the tab until you send the form or close the tab. What you searched for
          lately is kept in the browser until you sign out. Neither leaves your device.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Others who get data',
    body: (
      <>
        <p>
          Nobody for purposes of their own. Fonts, icons and map lines come from this server, so your browser talks to no one else while you
          read.
        </p>
        {mapHosts.length > 0 && (
          <p>
            One exception on this server: the pictures of the map come from {mapHosts.join(' and ')}, which therefore sees your IP address
            and the area you look at.
          </p>
        )}
        {boot.openIdName && (
          <p>
            You can sign in through {boot.openIdName}. Then {boot.openIdName} knows that you did, and tells us your name and email address.
            We keep no key to your account there.
          </p>
        )}
        <p>
          The guide answers by itself, and keeps no questions. Where the operator of this server has connected a language model, the guide
          says so and names who runs it; it is off for you until you turn it on there. Then your question, your first name, your interests
          and your kind of account go to it, with the public records that were found for the question. Nothing else does.
        </p>
        <p>A link to a business’s website or phone leaves this site; what happens there is up to the business.</p>
      </>
    ),
  },
  {
    id: 'see',
    title: 'Who sees what',
    body: (
      <ul>
        <li>Other people see the name on what you write. If you have set none, they read “Member”.</li>
        <li>A profile that is not public shows nothing but that name. You can hide your city as well.</li>
        <li>Favorites are seen by you alone. A business sees how many people subscribe to it, not who they are.</li>
        <li>Those who run this server can read its database. They look only where it is needed to help you or to stop abuse.</li>
      </ul>
    ),
  },
  {
    id: 'protect',
    title: 'How it is protected',
    body: (
      <ul>
        <li>IP addresses are used for a short while to slow down attacks, and are not written to your account.</li>
        <li>The server’s log says what was asked for and whether it worked. It holds no passwords, no keys and no mail.</li>
        <li>Our mails do not say in their subject or text what this site is about.</li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          Under Your data in your <PageLink to="/settings">settings</PageLink> you download everything that is stored about you, and delete
          your account. It is deleted 14 days after you ask, with everything in it; until then nobody sees you here, and you can keep it.
          What others wrote stays theirs; amounts and days of payments stay as the law asks, without your name; steps that matter stay in a
          log by a number behind which there is nobody any more. Backups are thrown away when they expire. For a correction, or if you
          cannot sign in, write to <SupportMail subject="My data" /> from the address of the account.
        </p>
        <p>
          Data of a business that comes from a public register stays in the directory, because it is public. It names no people. If it is
          wrong,{' '}
          <PageLink to="/data" hash="errors">
            tell us
          </PageLink>
          .
        </p>
      </>
    ),
  },
  {
    id: 'operator',
    title: 'Who is responsible',
    body: (
      <p>
        Whoever runs this server, to be reached at <SupportMail />. This text describes what the software does. The operator may replace it
        by one that a lawyer has reviewed for the place where the server stands, and should name there the company and the law that applies.
      </p>
    ),
  },
]

export function PrivacyPage() {
  return (
    <PublicPage
      title="Privacy policy"
      lead={`What ${brand.name} knows about you, and what it does with it. It is little, so this is short.`}
      changed="November 21, 2026"
      sections={sections}
    />
  )
}
