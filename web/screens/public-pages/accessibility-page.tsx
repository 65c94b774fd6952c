import { brand } from '#web/lib/boot.ts'
import { PageLink, PublicPage, type PublicSection, SupportMail } from './public-page.tsx'

const sections: PublicSection[] = [
  {
    id: 'standard',
    title: 'Our standard',
    body: (
      <>
        <p>
          {brand.name} is designed to meet the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA on every screen, in light and
          dark mode, on phones and on wide screens.
        </p>
        <p>
          We believe it does, except as listed under{' '}
          <PageLink to="." hash="limits">
            known limits
          </PageLink>
          . This is our own assessment. It hasn’t been audited independently.
        </p>
      </>
    ),
  },
  {
    id: 'built',
    title: 'What you can rely on',
    body: (
      <ul>
        <li>You can reach and use everything with only the keyboard. Focus is always visible and never hidden behind a header.</li>
        <li>Each screen has one main heading that receives focus when you arrive, so a screen reader announces where you are.</li>
        <li>Counts, results and messages are announced as they appear. Errors appear next to their field, and the first one gets focus.</li>
        <li>Text has a contrast ratio of at least 4.5 to 1. Controls are at least 24 pixels in size, or 44 on touch screens.</li>
        <li>At 200 percent zoom or on a screen 320 pixels wide, nothing is cut off, and only wide tables scroll sideways.</li>
        <li>Nothing moves on its own if your device is set to reduce motion. We also follow your device’s setting for higher contrast.</li>
        <li>Every plot has a table with the same figures, and anything marked by color is also described in text.</li>
        <li>
          Emailed codes and links expire, and so does signing in through another provider, but you can always start again. Nothing else has
          a time limit. Signing in doesn’t require a puzzle, and you can paste passwords.
        </li>
      </ul>
    ),
  },
  {
    id: 'tested',
    title: 'How we test',
    body: (
      <>
        <p>We test every change to the software in Chromium:</p>
        <ul>
          <li>every main screen, in light and dark mode, with the automatic axe checks for WCAG 2.2 A and AA;</li>
          <li>how menus, tabs, dialogs and forms work with only the keyboard, and where focus goes;</li>
          <li>the contrast of all colors against their backgrounds;</li>
          <li>the names, roles and order that a screen reader announces.</li>
        </ul>
        <p>Automatic checks find about half of all problems. We look for the rest manually and rely on your reports.</p>
      </>
    ),
  },
  {
    id: 'limits',
    title: 'Known limits',
    body: (
      <ul>
        <li>
          The map on <PageLink to="/discover">Discover</PageLink> is a picture with pins. You can reach the pins with the keyboard, but the
          list beside it has the same businesses and is easier to follow.
        </li>
        <li>Pictures from people and businesses have a description only if the author wrote one. We don’t add captions to videos.</li>
        <li>Businesses write their own content, so we can’t promise that it’s clear or well organized.</li>
        <li>The payment window is PayPal’s, so we can’t change it.</li>
        <li>We haven’t yet tested with people who use screen readers every day, or with every combination of screen reader and browser.</li>
        <li>Without JavaScript, you can read only the public pages.</li>
      </ul>
    ),
  },
  {
    id: 'tell',
    title: 'Report a barrier',
    body: (
      <>
        <p>
          Write to <SupportMail /> with the name of the page, what you were trying to do, and the device and software you use. You don’t
          need an account. We’ll tell you what we’ll change and by when, and help you in the meantime.
        </p>
        <p>
          The operator of this server answers these messages. If a reply doesn’t help, you can contact the authority responsible for
          accessibility where you live. In the United States, that’s the Department of Justice, under the Americans with Disabilities Act.
        </p>
      </>
    ),
  },
]

export function AccessibilityPage() {
  return (
    <PublicPage
      title="Accessibility"
      lead={`${brand.name} is for everyone. Here’s what that means, how we test it and where it still falls short.`}
      changed="November 30, 2026"
      sections={sections}
    />
  )
}
