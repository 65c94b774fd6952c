import type { Brand } from './brand.ts'

/** A heading, paragraph or list. `[words](/page#part)` is a link and `[words](mail:Subject)` an email to support. */
export type HelpBlock = { heading: string } | { text: string } | { list: readonly string[] }
export type HelpSection = { id: string; title: string; blocks: readonly HelpBlock[] }
export type HelpText = { path: '/help' | '/resources' | '/guidelines'; title: string; lead: string; sections: readonly HelpSection[] }

/** The guide also answers from these texts. */
export const helpCenter = (brand: Pick<Brand, 'name'>): HelpText => ({
  path: '/help',
  title: 'Help center',
  lead: 'Short answers to common questions.',
  sections: [
    {
      id: 'start',
      title: 'Getting started',
      blocks: [
        { heading: `Who can use ${brand.name}?` },
        {
          text: 'Anyone 18 or older. You can see a business’s products and promotions if you’re of legal age where it’s located: 21 for adult use in the United States.',
        },
        { heading: 'Why do you ask for my birthday?' },
        { text: 'To check that you’re at least 18 and of legal age for what a business sells. No one else sees it.' },
        { heading: 'Which account do I need?' },
        {
          text: 'A personal account to find and favorite businesses, or a business account to list your business: see [business resources](/resources). Both are free.',
        },
        { heading: 'Is there an app?' },
        {
          text: 'The website is the app: choose “Install” or “Add to Home Screen” in your browser’s menu. The growing screens work offline and sync when you’re back online.',
        },
      ],
    },
    {
      id: 'find',
      title: 'Finding a business',
      blocks: [
        { heading: 'How do I search?' },
        {
          text: 'Type a name, a city or a ZIP code into the search box. A city or ZIP code also finds what’s nearby. Filters narrow the list to farms, dispensaries or other businesses. The map shows the same results.',
        },
        { heading: 'How are results ranked?' },
        {
          text: 'By rating, then by license, then by distance. A single rating moves a business only slightly, and one friend can’t outweigh many visitors. Among equally rated businesses, those with a verified license come first, then those in a license register, then all others. No plan or payment moves a listing up.',
        },
        { heading: 'What do the license badges mean?' },
        {
          text: '“Licensed (state record)” means that the state’s public register listed the license on the day we read it. “License verified” means that the business also proved it controls the license: with a code sent to the contact in the register, or with a document that two members of our team reviewed. The filter “Licensed” on Discover finds both. The business page shows the number, the source and its date, and the expiration date. [Where the data comes from](/data) explains more.',
        },
        { heading: 'Can I order or buy products online here?' },
        {
          text: 'No. You can see what’s in stock and what it costs, but you buy from the business. Its page has its phone number, website and directions.',
        },
        { heading: 'Why is a farm’s pin in the middle of its city?' },
        { text: 'To protect the farm. Where plants grow is private, so we never show a farm’s location more precisely than its city.' },
      ],
    },
    {
      id: 'keep',
      title: 'Follow, favorite, subscribe',
      blocks: [
        { heading: 'How do I follow a business or a person?' },
        { text: 'Press Follow on their page. Following is free, and new posts appear in your feed on Home.' },
        { heading: 'How do I favorite a business?' },
        {
          text: 'Tap the heart on its card or its page. Your [favorites](/favorites) page lists them, newest first. Only you can see it.',
        },
        { heading: 'What does subscribing do?' },
        {
          text: 'It unlocks a business’s subscriber-only posts. Most subscriptions are free. If a business charges, its page shows the price before you buy anything. You can cancel on the same page at any time: your subscription stays active until the end of the paid month, and you can resume it until then. Your plans and receipts are under [Billing](/billing) in your account menu, and we confirm every payment, cancellation and refund by email.',
        },
        { heading: 'What is the difference between following and subscribing?' },
        { text: 'Following fills your feed. Subscribing does that too, and unlocks subscriber-only posts and prices.' },
        { heading: 'How do I find events and RSVP?' },
        {
          text: 'A business shows its upcoming events on its page, and Home shows events from businesses you follow. [Events](/events) lists those near your city or another place. Open one and press RSVP. The team sees your name; everyone else sees only how many people are going. We’ll remind you the day before and let you know if anything changes. “Add to calendar” saves it to your own calendar. Some events are only for subscribers or for members with the VIP plan.',
        },
      ],
    },
    {
      id: 'write',
      title: 'Posts, reviews and communities',
      blocks: [
        { heading: 'How do I write a post?' },
        {
          text: 'Press Post. You can add photos, a short video, a place and tags. You can save it as a draft or schedule it. If you post for a business, its drafts and scheduled posts are on the dashboard’s Social tab. To edit or delete a post, open its menu.',
        },
        { heading: 'How do I write a review?' },
        {
          text: 'Open the Reviews tab of a business you’ve visited, choose a star rating and add a few words if you like. You can write one review per business, and edit or delete it there. The business can reply. Its team can’t review it, and people who join the team lose their review.',
        },
        { heading: 'How do I find a community?' },
        {
          text: '[Communities](/communities) are sorted by topic: growing, strains, medical, business and general. You can join public ones right away, and others by request or invitation. To leave one, open its page.',
        },
        { heading: 'Why is my post held for review?' },
        {
          text: 'Filters look for what’s listed in the [guidelines](/guidelines#held), and a moderator reviews anything they find before others see it. The reason is shown below your post, and you’ll find the decision under [account status](/standing).',
        },
        { heading: 'How do I report or block someone?' },
        {
          text: 'Choose Report in the menu of a post, comment, message or person, or next to a review. Choose Block in the menu of a person, business or conversation. We don’t notify people you block, and you won’t see each other anymore. To unblock someone, go to [blocked people](/blocked).',
        },
      ],
    },
    {
      id: 'messages',
      title: 'Messages and notifications',
      blocks: [
        { heading: 'How do I send a message?' },
        {
          text: 'Press Message on a person’s or a business’s page. Messages from people you don’t follow arrive as requests. Filters don’t read private messages.',
        },
        { heading: 'Where do I change my notifications?' },
        {
          text: 'Under [notification preferences](/notifications/preferences). For each topic, choose what you get on the site, by email or by push, and set quiet hours. Instead of waiting for the digest, we email you right away about new messages and about reviews that give your business fewer than 4 stars, unless you turn that off.',
        },
      ],
    },
    {
      id: 'growing',
      title: 'Pheno hunts',
      blocks: [
        { heading: 'What is a pheno hunt?' },
        {
          text: 'Growing many seeds of a cross to find the one plant worth keeping. [Pheno Hunter Pro](/pheno-hunt) tracks plants, logs, traits, lab results and photos, and ranks the candidates by the weights you set.',
        },
        { heading: 'How do I start a hunt?' },
        {
          text: 'Choose New Hunt, give it a name and enter the number of seeds. We’ll create the plants and their labels. Then use the grow log and the data tracker.',
        },
        { heading: 'Who sees my hunt?' },
        { text: 'Only you, until you share it with people or make it public. A hunt never shows where you grow.' },
      ],
    },
    {
      id: 'keepers',
      title: 'How the keeper ranking works',
      blocks: [
        {
          text: 'A plant can look good because of its genes, its room, its pot or a friendly scorer. Only the genes are passed on to a clone. The ranking estimates how much each of these contributes, and shows how certain the result is.',
        },
        { heading: 'Which phenos are ranked?' },
        {
          text: 'Phenos that you can still keep: those with a living plant or clone that haven’t been culled and are the sex you want. A trait can also rule phenos out. For example, any date under “First pollen sacs” does. The rest are listed as “Not in the running” with their scores. Check clones help compare rooms and are never ranked.',
        },
        { heading: 'How is a score calculated?' },
        {
          text: 'Each value is split into the hunt’s mean and the effects of the room, the scorer, the pheno, the plant itself and how that pheno does in that room. That way, a strict scorer or a poor room doesn’t count against a pheno, and one tester counts for less than eight. “Who scores higher” shows people who can edit the hunt how far its scorers differ. Statisticians call this a mixed model (Henderson 1975).',
        },
        { heading: 'Why do high scores count for less?' },
        {
          text: 'The best of many plants was usually lucky, too. Clones show how repeatable a trait is (Patterson and Thompson 1971). The less repeatable it is, the more a score is pulled toward the hunt’s mean.',
        },
        { heading: 'What if all my clones grew in one room?' },
        {
          text: 'Then a pheno that does well anywhere looks the same as one that just likes that room. We assume that room preferences explain 15% of the differences between plants. A second room, or a second run with the same clones, shows the real share.',
        },
        { heading: 'What does “90% chance the best is among them” mean?' },
        {
          text: 'We simulate thousands of sets of true values that would fit your scores, and count how often each pheno comes out on top (Bechhofer 1954). In simulated hunts, these chances match how often a pheno really is the best.',
        },
        { heading: 'How are several traits combined into one score?' },
        {
          text: 'Each trait is rated from 0 to 1 on a curve where more, less or close to a target is better (Derringer and Suich 1980). The score is the mean of these ratings, using your weights. If two traits pull in opposite directions, the score is less certain than either trait alone (Hazel 1943).',
        },
        { heading: 'What should I measure next?' },
        {
          text: 'The ranking suggests what’s likely to improve your choice the most: a missing score, or a clone in the next run (Frazier, Powell and Dayanik 2008).',
        },
      ],
    },
    {
      id: 'programs',
      title: 'Hunts in Field Book and R',
      blocks: [
        {
          text: `Programs that support BrAPI 2.1 can read your hunts and the ones shared with you. They show a hunt as a trial, each run as a study and each plant as an observation unit. Plants without a run are in a study named after the hunt.`,
        },
        { heading: 'How do I connect a program?' },
        {
          text: 'In [Settings](/settings), under Sign-in and security, choose “Create a key”. Choose “Read and write hunts” only if the program should send something back. In the program, enter this site’s address followed by /api/brapi/v2. If the program adds /brapi/v2 itself, enter this site’s address followed by /api.',
        },
        { heading: 'How do I score in Field Book?' },
        {
          list: [
            'In Field Book’s settings, turn on BrAPI, choose version 2 and enter the address. Paste your key as the token.',
            'Import a field from BrAPI: choose the program with your name, the hunt and the run. For the level, choose “plant”.',
            'Import the traits from BrAPI, and score.',
            'Export to BrAPI. A value you changed in Field Book corrects the earlier one, which remains in the history.',
          ],
        },
        { heading: 'How do I read a hunt in R?' },
        {
          list: [
            'Install the QBMS package from CRAN.',
            'Connect with set_qbms_config("this site’s address", path = "api", engine = "breedbase", brapi_ver = "v2"), then set_token("your key").',
            'Use set_program(), set_trial() and set_study() to choose the program with your name, the hunt and the run. The functions list_programs(), list_trials() and list_studies() show the names.',
            'get_study_data() returns a row for each plant, with the newest value of each trait.',
          ],
        },
        { heading: 'What can’t a program do?' },
        {
          text: 'It can’t see photos, change what comes from logs and harvests or decide what to keep. Anything it adds counts as measured by you. To move a whole hunt, export it from its menu.',
        },
      ],
    },
    {
      id: 'account',
      title: 'Your account',
      blocks: [
        { heading: 'I forgot my password' },
        {
          text: 'Choose “Forgot password?” on the sign-in screen. We’ll email you a link to set a new one. It works once, within an hour. A new password signs you out on every device.',
        },
        { heading: 'The email hasn’t arrived' },
        {
          text: 'Check your spam folder and the address you registered with. Our subject lines never mention cannabis.',
        },
        { heading: 'How do I change my password?' },
        { text: 'In [Settings](/settings#sign-in), under Sign-in and security.' },
        { heading: 'How do I change my email address?' },
        {
          text: 'In [Settings](/settings#sign-in), under Sign-in and security. We’ll email a link to the new address. Your address changes when you open the link.',
        },
        { heading: 'How do I edit my profile, my name or my city?' },
        { text: 'In [Settings](/settings#profile). Privacy, notifications and units each have a section there.' },
        { heading: 'I want a copy of my data, or to delete my account' },
        {
          text: 'Both are under Your data in [Settings](/settings#data). If you can’t sign in, email [support](mail:My account) from your account’s address. Never send your password; we don’t need it.',
        },
        { heading: 'Who sees my location?' },
        {
          text: 'At most your city, and only if your profile is public and you share your location: see Privacy in [Settings](/settings). We never ask for your address or show where you are.',
        },
        { heading: 'Who sees my profile?' },
        {
          text: 'Others see your name on what you write. Your city, bio and interests show only if you make your profile public. No one sees your email address or birthday.',
        },
      ],
    },
    {
      id: 'guide',
      title: 'The guide',
      blocks: [
        { heading: 'What can I ask the guide?' },
        {
          text: 'Ask about places and their opening hours, menu items in stock and their prices, licenses, ratings, events, communities, strains and how this site works. It uses only what you could find here yourself, cites its sources and tells you when it doesn’t know. It doesn’t answer questions about health, doses or law, and never stores your questions.',
        },
        { heading: 'I closed the guide. How do I get it back?' },
        { text: 'Choose Guide in your account menu.' },
      ],
    },
    {
      id: 'wrong',
      title: 'Report a problem',
      blocks: [
        { heading: 'A listing has an error' },
        {
          text: 'Choose “Suggest a change” on its page if the business has closed or moved, or if its phone number, website or hours are wrong. The listing changes once a second person confirms it. If someone runs the business, they decide.',
        },
        {
          text: 'For anything else, [tell us what’s wrong](/data#errors) and how you know. A link to the license or to the business’s website helps most.',
        },
        { heading: 'Someone is breaking the rules' },
        {
          text: 'Report it from its menu, or send us a link to the page. The rules are in the [community guidelines](/guidelines).',
        },
        { heading: 'Something else' },
        { text: '[Contact us](/contact). A person will read it.' },
      ],
    },
  ],
})
