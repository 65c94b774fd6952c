import type { HelpText } from './help-texts.ts'

export const communityGuidelines: HelpText = {
  path: '/guidelines',
  title: 'Community guidelines',
  lead: 'A few rules that help people trust what they read here and feel safe when they write.',
  sections: [
    {
      id: 'legal',
      title: 'Keep it legal',
      blocks: [
        {
          list: [
            'You’re 18 or older. No one younger belongs here, and nothing may be designed to appeal to them.',
            'Trade only what’s legal where you are. A business that needs a license must have one.',
            'Nothing is sold here: no orders, no prices in private messages, no offers to ship.',
          ],
        },
      ],
    },
    {
      id: 'true',
      title: 'Be truthful',
      blocks: [
        {
          list: [
            'Rate and review only places you’ve visited. Don’t review your own business or a competitor’s.',
            'Don’t accept money, goods or favors for a review, and don’t offer any.',
            'Write as yourself. We close accounts that pretend to be another person or business.',
            'Don’t make health claims. You can’t say that a product treats, prevents or cures anything. Ask a doctor what’s right for you.',
          ],
        },
      ],
    },
    {
      id: 'kind',
      title: 'Be kind',
      blocks: [
        {
          list: [
            'Argue about ideas, not people. No insults, threats or harassment.',
            'No hate because of who someone is: their origin, color, religion, sex, orientation, age or disability.',
            'No sexual content, no violence, no spam.',
          ],
        },
      ],
    },
    {
      id: 'private',
      title: 'Protect privacy',
      blocks: [
        {
          list: [
            'Don’t publish anyone’s home address, phone number, documents or pictures without their consent.',
            'Never reveal where someone grows.',
            'Don’t name staff in reviews, except to thank them.',
          ],
        },
      ],
    },
    {
      id: 'businesses',
      title: 'For businesses',
      blocks: [
        {
          list: [
            'Your name, location and license number are correct and up to date.',
            'You don’t pressure people for good ratings or threaten them over bad ones.',
            'You advertise only what your local law allows. See [each state’s rules](/rules), with sources.',
            'Promotions, products and events need a verified, unexpired license.',
          ],
        },
      ],
    },
    {
      id: 'held',
      title: 'What we hold for review',
      blocks: [
        {
          text: 'Filters check what people write in public. If they find something, others can’t see the text until a moderator reviews it, and we tell the author why. They look for:',
        },
        {
          list: [
            'health claims and doses',
            'giveaways, raffles and free products with a purchase',
            'private sales, offers to ship and phone numbers in posts by people',
            'links from new accounts, and repeated text within a day',
            'business promotions that may appeal to minors',
          ],
        },
        { text: 'We’ll warn you as you type. Filters don’t read private messages.' },
      ],
    },
    {
      id: 'break',
      title: 'When someone breaks a rule',
      blocks: [
        {
          text: 'Choose **Report** next to a review, or in the menu of a post, comment, message, person, business, hunt or community, and tell us what’s wrong with it. We won’t tell the author who you are. If you don’t have an account, email us a link to the page at [support](mail:A rule was broken).',
        },
        {
          text: 'Moderators can hide or remove what breaks a rule, warn the author, mute them for a while and suspend or ban an account. We decide within 48 hours on reports of pictures that show someone in an intimate situation without their consent. If we act on your account, you’ll find the reasons under [account status](/standing), and you can appeal once. A different moderator decides the appeal.',
        },
        {
          text: 'Every hide, removal, warning, mute, suspension and ban appears in the public [moderation log](/moderation-log), without people’s names.',
        },
        { text: 'These rules are part of the [terms of service](/terms).' },
      ],
    },
  ],
}
