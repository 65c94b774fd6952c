import { find, type Hit, phrases, precededBy, type Reading } from './tokens.ts'

const list = phrases(
  `cartoon|cartoons|cartoon characters|coloring book|toy|toys|kid|kids|kiddos|children|childrens|toddler|toddlers|teen|teens|teenager|teenagers|school|schools|
  high school|kindergarten|playground|santa claus|santa's|easter bunny|superhero|superheroes|pokemon|pikachu|mickey mouse|spongebob|sponge bob|super mario|hello kitty|disney|
  minecraft|fortnite|paw patrol|skittles|sour patch|sour patch kids|nerds rope|oreo|oreos|doritos|cheetos|starburst|jolly ranchers|froot loops|fruit loops|lucky charms|
  cap'n crunch|gummy bears|gummy worms|cotton candy machine|just like candy|tastes like candy|looks like candy|candy lookalike|candy look alike`,
)

const warnings = new Set('reach away no not never protect protecting lock locked out without'.split(' '))

/** "Old school", "12 School Street". */
const streets = /^(street|st|road|rd|avenue|ave|lane|ln|drive|dr|way|bus)$/

const isOtherSchool = ({ tokens }: Reading, { from, to }: Hit): boolean =>
  tokens[from]?.word === 'school' && (tokens[from - 1]?.word === 'old' || streets.test(tokens[to]?.word ?? ''))

/** What an advertisement must not have about it: characters, toys, sweets that look like others, children and their places. */
export const findAppealToMinors = (reading: Reading): Hit[] =>
  find(reading, list).filter((hit) => !precededBy(reading, hit, warnings, 5) && !isOtherSchool(reading, hit))
