import type { HelpText } from './help-texts.ts'

/** The rules of the site; see `help-texts.ts`. */
export const communityGuidelines: HelpText = {
  path: '/guidelines',
  title: 'Community guidelines',
  lead: 'A few rules, so that people can trust what they read here and feel safe when they write.',
  sections: [
    {
      id: 'legal',
      title: 'Keep it legal',
      blocks: [
        {
          list: [
            'You are 18 or older. Nobody younger has a place here, and nothing may be made to appeal to them.',
            'Only trade that is legal where it happens. A business that needs a license has one.',
            'Nothing is sold here: no orders, no prices by private message, no offers to ship.',
          ],
        },
      ],
    },
    {
      id: 'true',
      title: 'Say what is true',
      blocks: [
        {
          list: [
            'Rate and review only places you know from your own visit. Not your own business, and not a competitor’s.',
            'Do not take money, goods or favors for a review, and do not offer any.',
            'Write as yourself. An account that pretends to be another person or business is closed.',
            'Make no claims about health. Nobody here may say that a product treats, prevents or cures anything. Ask a doctor what is right for you.',
          ],
        },
      ],
    },
    {
      id: 'kind',
      title: 'Be decent',
      blocks: [
        {
          list: [
            'Argue about things, not about people. No insults, threats or harassment.',
            'No hate for what somebody is: their origin, color, religion, sex, orientation, age or disability.',
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
            'Publish nobody’s home address, phone number, documents or pictures without their consent.',
            'Never tell where somebody grows.',
            'Names of staff stay out of reviews, unless you thank them.',
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
            'Your name, place and license number are correct, and you keep them so.',
            'You do not press people for good ratings or threaten them for bad ones.',
            'You advertise only what the law of your place allows. [What it says about that, place by place](/rules), with sources.',
            'Promotions and products go out under a verified, unexpired license alone.',
          ],
        },
      ],
    },
    {
      id: 'held',
      title: 'What is held until somebody has looked',
      blocks: [
        {
          text: 'Filters read what is written in public. What they find is not shown to others until a moderator has looked at it, and whoever wrote it is told why:',
        },
        {
          list: [
            'claims about health, and doses',
            'giveaways, raffles, and free products with a purchase',
            'sales between people, and offers to ship; phone numbers in what people write',
            'links from accounts that are new, and the same words again within a day',
            'what may appeal to minors in the promotions of a business',
          ],
        },
        { text: 'The forms say so while you type. Private messages are not read by filters.' },
      ],
    },
    {
      id: 'break',
      title: 'When a rule is broken',
      blocks: [
        {
          text: 'Choose **Report** in the menu of a post, a comment, a review, a message, a person, a business, a hunt or a community, and say what is wrong with it. Whoever wrote it does not learn who you are. Without an account, send the address of the page to [support](mail:A rule was broken).',
        },
        {
          text: 'Moderators may hide or remove what breaks a rule, warn whoever wrote it, keep them from writing for a time, and suspend or ban an account. A picture that shows somebody in private without their consent is decided about within 48 hours of the report. Whoever something is done to reads the reasons in [their standing](/standing), and can appeal once: another moderator decides.',
        },
        { text: 'All that moderators do stands, without names, in the public [moderation log](/moderation-log).' },
        { text: 'These rules are part of the [terms of service](/terms).' },
      ],
    },
  ],
}
