import { outsideHosts } from '#contracts/addresses.ts'
import { ageCookie } from '#contracts/age.ts'
import { discreetCookie } from '#contracts/brand.ts'
import { boot, brand } from '#web/lib/boot.ts'
import { PageLink, PublicPage, type PublicSection, SupportMail } from './public-page.tsx'

const cookies = [
  {
    name: `${brand.slug}.session_token`,
    purpose: 'Keeps you signed in. Set only after you sign in.',
    lifetime: 'until 30 days after your last visit',
  },
  {
    name: `${brand.slug}.device`,
    purpose: 'Marks a browser that you’ve signed in with, so strangers guessing your password can’t lock you out.',
    lifetime: '400 days',
  },
  { name: 'written', purpose: 'Shows you your own changes right away.', lifetime: '15 seconds to 1 day' },
  { name: ageCookie, purpose: 'Remembers that you confirmed your age.', lifetime: '1 year' },
  { name: 'theme', purpose: 'Remembers light or dark mode. Stored only if you choose one.', lifetime: '1 year' },
  { name: 'lights', purpose: 'Remembers the dim mode of the growing screens. Stored only if you choose it.', lifetime: '1 year' },
  { name: discreetCookie, purpose: 'Remembers the discreet name and icon. Stored only if you choose them.', lifetime: '1 year' },
  { name: `${brand.slug}.passkey`, purpose: 'Connects the steps of a passkey sign-in until it’s done.', lifetime: '5 minutes' },
  { name: `${brand.slug}.openid`, purpose: 'Connects the steps of signing in through another provider.', lifetime: '10 minutes' },
]

const mapHosts = outsideHosts([boot.map.tileUrl, boot.map.pmtilesUrl], location.origin)

const sections: PublicSection[] = [
  {
    id: 'short',
    title: 'In short',
    body: (
      <ul>
        <li>We store what you enter and what’s needed for the features you use: favorites, subscriptions and sessions.</li>
        <li>No advertising, no tracking, no analytics scripts. We never sell or share your data.</li>
        <li>Your location is a city that you enter yourself.</li>
        <li>Other members can’t see your email address or birthday. If an admin looks up your email address, the audit log records it.</li>
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
          <dd>Name, email address, birthday, account type and your password as a hash that can’t be reversed.</dd>
        </div>
        <div>
          <dt>Your profile</dt>
          <dd>City, bio and interests, if you provide them. A profile is private unless you make it public.</dd>
        </div>
        <div>
          <dt>What you save and write</dt>
          <dd>Favorites and subscriptions with their dates, and ratings, reviews and posts with your name.</dd>
        </div>
        <div>
          <dt>Your business</dt>
          <dd>What you enter for its page. This is public, except for a farm’s street and an unverified license number.</dd>
        </div>
        <div>
          <dt>Visits to business pages</dt>
          <dd>
            We count visits for the business without storing who made them. We recognize a visitor for one day by a number made with a
            secret that we delete when the day is over. Individual visits are deleted 13 months after the end of their month, and only daily
            counts remain. We never show a figure for fewer than five visitors.
          </dd>
        </div>
        <div>
          <dt>What you buy</dt>
          <dd>
            Plan, price, payments and receipts. Card and bank details go only to the payment provider and never reach us. On a business’s
            team, only the owner can see what it pays for its plans.
          </dd>
        </div>
        <div>
          <dt>Your location</dt>
          <dd>
            Not stored. If you use the button to find businesses near you, your browser asks for permission first. We round the location to
            about half a mile and use it only for that search.
          </dd>
        </div>
        <div>
          <dt>Your notifications</dt>
          <dd>What you were notified of. We delete notifications after 180 days if you’ve read them, and after a year if you haven’t.</dd>
        </div>
        <div>
          <dt>Your sessions</dt>
          <dd>For each signed-in browser, the name it reports and when it was last used. No IP address.</dd>
        </div>
      </dl>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <>
        <p>
          All cookies are ours and necessary. They don’t require consent, so there’s no banner. Over HTTPS, some names begin with{' '}
          <code>__Host-</code>.
        </p>
        <dl>
          {cookies.map(({ name, purpose, lifetime }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {purpose} Lifetime {lifetime}.
              </dd>
            </div>
          ))}
        </dl>
        <p>
          Text you type into a form (never a password) is stored in the tab until you send the form or close the tab. Your recent searches
          are stored in the browser until you sign out. Neither leaves your device.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Who else gets data',
    body: (
      <>
        <p>
          No one gets it for their own purposes. Fonts, icons and map lines come from this server, so your browser doesn’t contact anyone
          else while you read.
        </p>
        {mapHosts.length > 0 && (
          <p>
            One exception on this server: map images come from {mapHosts.join(' and ')}. They can see your IP address and the area you view.
          </p>
        )}
        {boot.openIdName && (
          <p>
            You can sign in through {boot.openIdName}. In that case, {boot.openIdName} sees that you did and gives us your name and email
            address. We don’t have access to your account there afterward.
          </p>
        )}
        <p>
          By default, the guide answers without any outside service. It doesn’t store your questions. If the operator of this server has
          connected a language model, the guide says so and names its provider. The model is off until you turn it on. Then it receives your
          question, first name, interests and account type, plus the public records found for the question. Nothing else.
        </p>
        <p>A link to a business’s website or phone number leaves this site. The business is responsible for what happens there.</p>
      </>
    ),
  },
  {
    id: 'see',
    title: 'Who sees what',
    body: (
      <ul>
        <li>Other people see your name on what you write. If you haven’t set one, they see “Member”.</li>
        <li>A profile that isn’t public shows only your name. You can also hide your city.</li>
        <li>Only you can see your favorites. When you subscribe to a business, its team gets a notification with your name.</li>
        <li>The people who run this server can read its database. They look only when they need to help you or stop abuse.</li>
      </ul>
    ),
  },
  {
    id: 'protect',
    title: 'How it’s protected',
    body: (
      <ul>
        <li>We use IP addresses briefly to slow down attacks and don’t link them to your account.</li>
        <li>The server’s log records requests and their results. It doesn’t contain passwords, keys or email content.</li>
        <li>The subjects of our emails never mention cannabis. Notification emails contain only titles and links.</li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          Under Your data in your <PageLink to="/settings">settings</PageLink>, you can download your data and delete your account. The
          download explains what it leaves out, such as secrets and what others wrote. We delete your account with everything in it 14 days
          after you ask. Until then, your profile is hidden, and you can keep your account. We don’t delete what others wrote. A business
          that you give up stays in the directory with its menu, posts and photos, but without its documents, passwords and payment details.
          We keep payment amounts and dates without your name, as the law requires. Important actions remain in a log under a number that no
          longer identifies anyone. Backups are deleted when they expire. For a correction, or if you can’t sign in, write to{' '}
          <SupportMail subject="My data" /> from your account’s email address.
        </p>
        <p>
          Business data from a public register remains in the directory because it’s public. It doesn’t name any people. If it’s wrong,{' '}
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
        The operator of this server, at <SupportMail />. This text describes what the software does. The operator may replace it with one
        reviewed by a lawyer for the server’s location, and should name the company and applicable law there.
      </p>
    ),
  },
]

export function PrivacyPage() {
  return (
    <PublicPage
      title="Privacy policy"
      lead={`What ${brand.name} knows about you and how it uses it. It’s not much, so this is short.`}
      changed="November 30, 2026"
      sections={sections}
    />
  )
}
