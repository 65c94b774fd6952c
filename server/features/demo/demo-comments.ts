/** `by` is a person, or a business whose owner writes for it. */
type DemoWords = { by: string; content: string; daysAgo: number }
type DemoComment = DemoWords & { replies?: DemoWords[] }

/** Title of a post → its comments, oldest first. Only subscribers comment on exclusive posts. */
export const demoComments: Record<string, DemoComment[]> = {
  'Growers’ evening on Friday': [
    {
      by: 'sunniva',
      content: 'Can I bring a notebook? I have a list.',
      daysAgo: 0.25,
      replies: [{ by: 'lanternfold', content: 'Please do. The first chair is yours.', daysAgo: 0.2 }],
    },
    { by: 'wren', content: 'I’ll come by bike, and on the right day this time.', daysAgo: 0.1 },
  ],
  'The new shelf is up': [
    { by: 'hollis', content: 'My knees thank you.', daysAgo: 2.8 },
    {
      by: 'wren',
      content: 'Are the old cards kept somewhere? I never finished the one from the lower terrace.',
      daysAgo: 2.4,
      replies: [
        { by: 'lanternfold', content: 'In the drawer under the register, by year. Ask for it.', daysAgo: 2.3 },
        { by: 'desmond', content: 'There is a drawer?', daysAgo: 1.6 },
      ],
    },
  ],
  'How we read a certificate of analysis': [
    {
      by: 'priya',
      content: 'What do you do when the batch number on the jar is not the one on the sheet?',
      daysAgo: 20,
      replies: [
        { by: 'lanternfold', content: 'We send the lot back. It has happened twice, once by an honest slip.', daysAgo: 19.6 },
        { by: 'measuredlight', content: 'And call the laboratory, please. We would like to know.', daysAgo: 19.1 },
      ],
    },
    { by: 'marisol', content: 'How the sample was taken: the question no one expects.', daysAgo: 18 },
  ],
  'What we buy in November, and why': [
    {
      by: 'wren',
      content: 'Which of the two that dried too fast did you like before you looked at the report?',
      daysAgo: 13.2,
      replies: [{ by: 'lanternfold', content: 'Both, which is why we look at the report.', daysAgo: 13 }],
    },
    { by: 'lorne', content: 'Thank you for writing down what you turned down. No one does.', daysAgo: 12.1 },
  ],
  'Why our lids stay closed': [
    {
      by: 'wren',
      content: 'So that is what the small jars are for. I thought they were for people like me.',
      daysAgo: 0.6,
      replies: [{ by: 'quietwater', content: 'They are for people like you.', daysAgo: 0.4 }],
    },
    { by: 'yuki', content: 'I can make you a smelling jar with a proper lid.', daysAgo: 0.3 },
  ],
  'Members’ price on the North Slope lot': [{ by: 'desmond', content: 'Mentioned it at the counter. It worked.', daysAgo: 10.4 }],
  'The drying room, day nine': [
    {
      by: 'hollis',
      content: 'Do you weigh a branch every day, or just go by the stems?',
      daysAgo: 0.45,
      replies: [
        {
          by: 'slowfurrow',
          content: 'One branch of each bed, every morning, on the kitchen scale. Then the stems decide anyway.',
          daysAgo: 0.4,
        },
        { by: 'theo', content: 'I like that the kitchen scale has a vote.', daysAgo: 0.2 },
      ],
    },
    { by: 'marisol', content: 'Sixty percent. I would have to flood the house.', daysAgo: 0.35 },
  ],
  'Bed 31 is in': [
    {
      by: 'theo',
      content: 'Eleven days for forty-eight beds! With how many hands?',
      daysAgo: 6.7,
      replies: [{ by: 'slowfurrow', content: 'Six, and a neighbor on Saturdays.', daysAgo: 6.5 }],
    },
    { by: 'wren', content: 'A day ahead of the rain is the best kind of day.', daysAgo: 6.1 },
  ],
  'Why we stopped tilling': [
    {
      by: 'hollis',
      content: 'This post cost me a spade.',
      daysAgo: 33,
      replies: [{ by: 'wren', content: 'Lend it to me, I need it for the snow.', daysAgo: 32 }],
    },
  ],
  'Next year’s crosses, in full': [
    {
      by: 'hollis',
      content: 'I worry about the same two. The late one won’t like your October.',
      daysAgo: 17,
      replies: [{ by: 'slowfurrow', content: 'Neither do we. It gets the south bed.', daysAgo: 16.5 }],
    },
  ],
  'What the harvest date tells you, and what it cannot': [
    { by: 'priya', content: 'I’ve met that shrug. I went next door.', daysAgo: 1.2 },
    {
      by: 'theo',
      content: 'Could the card say how it was stored, too?',
      daysAgo: 1,
      replies: [{ by: 'gantry', content: 'It will from the next lot on. Good idea, thank you.', daysAgo: 0.7 }],
    },
  ],
  'Nine clones, labeled at last': [
    {
      by: 'theo',
      content: 'Long live Tractor.',
      daysAgo: 3.2,
      replies: [{ by: 'hollowreed', content: 'Tractor is doing very well.', daysAgo: 3 }],
    },
  ],
  'A year of mildew notes': [{ by: 'theo', content: 'If you could keep only one of the nine, which?', daysAgo: 15 }],
  'Twelve spoons in smoke gray': [
    {
      by: 'lorne',
      content: 'Is the seventh from the left taken?',
      daysAgo: 1.5,
      replies: [{ by: 'achterberg', content: 'It has your name on it, in pencil.', daysAgo: 1.3 }],
    },
  ],
  'Cleaning without scratching': [{ by: 'amadou', content: 'Same for copper pans. Patience and no wire.', daysAgo: 25 }],
  'The tea comes back in December': [{ by: 'marisol', content: 'Finally! I’d started drinking ordinary tea.', daysAgo: 2.3 }],
  'How a kitchen measures 2.5 milligrams': [
    {
      by: 'amadou',
      content: 'Five pieces from different corners: do you test the corners of the tray as well?',
      daysAgo: 30,
      replies: [{ by: 'saltandmeadow', content: 'Especially those. Corners are where trays lie.', daysAgo: 29.5 }],
    },
  ],
  'The shortlist': [{ by: 'theo', content: 'I am with the dissenting vote.', daysAgo: 11.2 }],
  'What a terpene number does not tell you': [
    {
      by: 'hollis',
      content: 'Hour as well as date. I’ll ask for it everywhere now.',
      daysAgo: 19,
      replies: [{ by: 'measuredlight', content: 'Please do. It is one more field on a form.', daysAgo: 18.6 }],
    },
  ],
  'Week five in the locked shed': [
    {
      by: 'hollis',
      content: 'Let the shrub be a shrub, but take the lowest leaves. It wants air under its skirt.',
      daysAgo: 1.2,
      replies: [
        { by: 'wren', content: 'Done this morning. It looks surprised.', daysAgo: 1 },
        { by: 'sunniva', content: 'Before and after in words, please!', daysAgo: 0.8 },
      ],
    },
    { by: 'marisol', content: 'The line about not trusting yourself is in my notebook now.', daysAgo: 0.6 },
  ],
  'Five things I write on every jar': [
    {
      by: 'priya',
      content: 'Six: where you bought it.',
      daysAgo: 8,
      replies: [{ by: 'wren', content: 'Sold. Six things.', daysAgo: 7.9 }],
    },
    { by: 'marlow', content: 'We should print that on our labels.', daysAgo: 7.5 },
  ],
  'To Boulder by bike, on the wrong day': [{ by: 'quietwater', content: 'Wednesday is the best day to talk. Come again.', daysAgo: 16 }],
  'Your hygrometer lies. Here is by how much': [
    {
      by: 'wren',
      content: 'Mine was off by nine. I have been drying in a swamp.',
      daysAgo: 0.7,
      replies: [{ by: 'hollis', content: 'Better to know in November than in March.', daysAgo: 0.5 }],
    },
    {
      by: 'measuredlight',
      content: 'Correct, at room temperature. Give it the whole day and keep the sensor out of the salt.',
      daysAgo: 0.3,
    },
  ],
  'Before I bought soil, I read the rules': [
    { by: 'marlow', content: 'I wish everyone did. The city’s page has the lock rule on its second screen.', daysAgo: 1.8 },
    {
      by: 'marisol',
      content: 'New Mexico is different: check your own state’s page, not hers or mine.',
      daysAgo: 1.6,
      replies: [{ by: 'sunniva', content: 'Exactly. One evening, once.', daysAgo: 1.5 }],
    },
  ],
  'Two of four came up': [{ by: 'odile', content: 'Late is not soup. Wait until Tuesday.', daysAgo: 6.1 }],
  'A lid that fits': [{ by: 'tobin', content: 'That sound is what you work for.', daysAgo: 3.5 }],
  'What is in my coat in November': [
    {
      by: 'hollis',
      content: 'Put me on the list for the next bed.',
      daysAgo: 2.6,
      replies: [{ by: 'odile', content: 'You have been on it since Tuesday.', daysAgo: 2.5 }],
    },
  ],
  'Questions I like to be asked at the counter': [
    { by: 'desmond', content: 'I always forget the third.', daysAgo: 3.9 },
    { by: 'sunniva', content: 'I asked the last one. The answer was long and honest.', daysAgo: 1 },
  ],
  'What desert air does to a cure': [{ by: 'hollis', content: 'Nine days in the desert is craftsmanship.', daysAgo: 1.7 }],
}
