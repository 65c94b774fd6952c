import { PublicPage, type PublicSection } from './public-page.tsx'
import { PageLink, SupportMail } from './text-links.tsx'

const sections: PublicSection[] = [
  {
    id: 'legal',
    title: 'Keep it legal',
    body: (
      <ul>
        <li>You are 18 or older. Nobody younger has a place here, and nothing may be made to appeal to them.</li>
        <li>Only trade that is legal where it happens. A business that needs a license has one.</li>
        <li>Nothing is sold here: no orders, no prices by private message, no offers to ship.</li>
      </ul>
    ),
  },
  {
    id: 'true',
    title: 'Say what is true',
    body: (
      <ul>
        <li>Rate and review only places you know from your own visit. Not your own business, and not a competitor’s.</li>
        <li>Do not take money, goods or favors for a review, and do not offer any.</li>
        <li>Write as yourself. An account that pretends to be another person or business is closed.</li>
        <li>
          Make no claims about health. Nobody here may say that a product treats, prevents or cures anything. Ask a doctor what is right for
          you.
        </li>
      </ul>
    ),
  },
  {
    id: 'kind',
    title: 'Be decent',
    body: (
      <ul>
        <li>Argue about things, not about people. No insults, threats or harassment.</li>
        <li>No hate for what somebody is: their origin, color, religion, sex, orientation, age or disability.</li>
        <li>No sexual content, no violence, no spam.</li>
      </ul>
    ),
  },
  {
    id: 'private',
    title: 'Protect privacy',
    body: (
      <ul>
        <li>Publish nobody’s home address, phone number, documents or pictures without their consent.</li>
        <li>Never tell where somebody grows.</li>
        <li>Names of staff stay out of reviews, unless you thank them.</li>
      </ul>
    ),
  },
  {
    id: 'businesses',
    title: 'For businesses',
    body: (
      <ul>
        <li>Your name, place and license number are correct, and you keep them so.</li>
        <li>You do not press people for good ratings or threaten them for bad ones.</li>
        <li>You advertise only what the law of your place allows.</li>
      </ul>
    ),
  },
  {
    id: 'break',
    title: 'When a rule is broken',
    body: (
      <>
        <p>
          Send the address of the page to <SupportMail subject="A rule was broken" /> and say what is wrong with it. Whoever wrote it does
          not learn who you are.
        </p>
        <p>
          The people who run this site may hide or remove what breaks a rule, and close an account that keeps breaking them. If that happens
          to you and you think it was a mistake, write to the same address; somebody looks again.
        </p>
        <p>
          These rules are part of the <PageLink to="/terms">terms of service</PageLink>.
        </p>
      </>
    ),
  },
]

export function GuidelinesPage() {
  return (
    <PublicPage
      title="Community guidelines"
      lead="A few rules, so that people can trust what they read here and feel safe when they write."
      sections={sections}
    />
  )
}
