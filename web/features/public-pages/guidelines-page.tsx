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
        <li>
          You advertise only what the law of your place allows. <PageLink to="/rules">What it says about that, place by place</PageLink>,
          with sources.
        </li>
        <li>Promotions and products go out under a verified, unexpired license alone.</li>
      </ul>
    ),
  },
  {
    id: 'held',
    title: 'What is held until somebody has looked',
    body: (
      <>
        <p>
          Filters read what is written in public. What they find is not shown to others until a moderator has looked at it, and whoever
          wrote it is told why:
        </p>
        <ul>
          <li>claims about health, and doses</li>
          <li>giveaways, raffles, and free products with a purchase</li>
          <li>sales between people, and offers to ship; phone numbers in what people write</li>
          <li>links from accounts that are new, and the same words again within a day</li>
          <li>what may appeal to minors in the promotions of a business</li>
        </ul>
        <p>The forms say so while you type. Private messages are not read by filters.</p>
      </>
    ),
  },
  {
    id: 'break',
    title: 'When a rule is broken',
    body: (
      <>
        <p>
          Choose <strong>Report</strong> in the menu of a post, a comment, a review, a message, a person, a business, a hunt or a community,
          and say what is wrong with it. Whoever wrote it does not learn who you are. Without an account, send the address of the page to{' '}
          <SupportMail subject="A rule was broken" />.
        </p>
        <p>
          Moderators may hide or remove what breaks a rule, warn whoever wrote it, keep them from writing for a time, and suspend or ban an
          account. A picture that shows somebody in private without their consent is decided about within 48 hours of the report. Whoever
          something is done to reads the reasons in <PageLink to="/standing">their standing</PageLink>, and can appeal once: another
          moderator decides.
        </p>
        <p>
          All that moderators do stands, without names, in the public <PageLink to="/moderation-log">moderation log</PageLink>.
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
