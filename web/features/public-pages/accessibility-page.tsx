import { brand } from '../../lib/boot.ts'
import { PublicPage, type PublicSection } from './public-page.tsx'
import { PageLink, SupportMail } from './text-links.tsx'

const sections: PublicSection[] = [
  {
    id: 'standard',
    title: 'What we hold ourselves to',
    body: (
      <>
        <p>
          {brand.name} is made to meet the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA, on every screen, in the light and in
          the dark look, on phones and on wide screens.
        </p>
        <p>
          We believe that it does, apart from what is named under{' '}
          <PageLink to="." hash="limits">
            known limits
          </PageLink>
          . This is our own judgment: nobody from outside has audited it.
        </p>
      </>
    ),
  },
  {
    id: 'built',
    title: 'What you can rely on',
    body: (
      <ul>
        <li>Everything can be reached and used with the keyboard alone. The focus is visible and never hidden behind a header.</li>
        <li>Each screen has one main heading, and the focus goes there when you come to it, so that a screen reader says where you are.</li>
        <li>Counts, results and messages that appear are announced. Errors stand by their field, and the first one takes the focus.</li>
        <li>Text keeps a contrast of at least 4.5 to 1, and what can be pressed is at least 24 pixels in size, 44 on touch screens.</li>
        <li>At 200 percent zoom, and on a screen 320 pixels wide, nothing is cut off and nothing scrolls sideways but wide tables.</li>
        <li>Nothing moves by itself if your device asks for reduced motion. Higher contrast is followed where your device asks for it.</li>
        <li>Every plot has a table with the same figures, and what is marked by color is said in words as well.</li>
        <li>No task has a time limit, and no puzzle stands between you and signing in. Passwords can be pasted.</li>
      </ul>
    ),
  },
  {
    id: 'tested',
    title: 'How it is tested',
    body: (
      <>
        <p>With each change to the software, in Chromium:</p>
        <ul>
          <li>every main screen, in both looks, with the automatic checks of axe for WCAG 2.2 A and AA;</li>
          <li>what menus, tabs, dialogs and forms do with the keyboard alone, and where the focus goes;</li>
          <li>the colors of every role against the ground they stand on;</li>
          <li>the names, roles and order of what a screen reader is told.</li>
        </ul>
        <p>Automatic checks find about half of what can be wrong. The rest we look for by hand, and depend on what you tell us.</p>
      </>
    ),
  },
  {
    id: 'limits',
    title: 'Known limits',
    body: (
      <ul>
        <li>
          The map on <PageLink to="/discover">Discover</PageLink> is a picture with pins. Pins can be reached with the keyboard, but the
          list beside it holds the same businesses and is easier to follow.
        </li>
        <li>Pictures that people and businesses add have a description only if they wrote one. Videos have no captions of ours.</li>
        <li>What businesses write is theirs: we cannot promise that it is plain or well ordered.</li>
        <li>The window in which PayPal takes a payment is PayPal’s own.</li>
        <li>
          We have not yet tested with people who use screen readers every day, nor with every combination of screen reader and browser.
        </li>
        <li>Without JavaScript only the public pages can be read.</li>
      </ul>
    ),
  },
  {
    id: 'tell',
    title: 'Tell us what stops you',
    body: (
      <>
        <p>
          Write to <SupportMail /> and name the page, what you wanted to do and what you use to do it. You need no account for that. We say
          what we will change and by when, and help you to what you came for in the meantime.
        </p>
        <p>
          Whoever runs this server answers these messages. If an answer does not help, the authority of your place that watches over
          accessibility can be asked as well; in the United States that is the Department of Justice, under the Americans with Disabilities
          Act.
        </p>
      </>
    ),
  },
]

export function AccessibilityPage() {
  return (
    <PublicPage
      title="Accessibility"
      lead={`${brand.name} is for everybody. What that means here, how it is tested, and where it still falls short.`}
      changed="November 21, 2026"
      sections={sections}
    />
  )
}
