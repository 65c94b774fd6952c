import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { line, withoutNul } from './text.ts'
import { TraitKind, TraitOption } from './traits.ts'

/** Panels of one hunt; all are answered at once. */
export const maxPanels = 50
export const maxJars = 40
export const maxCardsPerJar = 40
/** Questions on one card. */
export const maxPanelTraits = 15

/** What a tester can answer: something seen or tasted, by a scale, a figure or words. */
export const panelTraitKinds = ['ordinal', 'number', 'category', 'checks'] as const satisfies readonly TraitKind[]

const PanelTrait = z.object({ id: Id, name: z.string(), kind: TraitKind, unit: z.string(), options: z.array(TraitOption) })

const JarPlant = z.object({
  plantId: Id,
  genotypeId: Id,
  number: z.int(),
  /** "#7-2" */
  name: z.string(),
  label: z.string(),
})

const PanelJar = z.object({
  id: Id,
  jarName: z.string(),
  /** Which plant is in it: for those who can write, who fill the jars, and for all once the panel is closed. */
  plant: z.nullable(JarPlant),
  cureDays: z.nullable(z.int()),
  cards: z.int(),
  answered: z.int(),
  /** Never printed yet. */
  unprinted: z.int(),
})

/** Jars with names that tell nothing, scored by people who need no account. */
export const Panel = z.object({
  id: Id,
  huntId: Id,
  name: z.string(),
  instructions: z.string(),
  isOpen: z.boolean(),
  closedAt: z.nullable(z.iso.datetime()),
  traits: z.array(PanelTrait),
  /** By their names. */
  jars: z.array(PanelJar),
  createdAt: z.iso.datetime(),
  version: z.int(),
})
export type Panel = z.infer<typeof Panel>

const fields = { name: line(80, 'Name the panel'), instructions: line(2000) }

const CardCount = z.int('Must be a whole number').check(z.minimum(0, 'At least 0'), z.maximum(maxCardsPerJar, `At most ${maxCardsPerJar}`))

export const NewPanel = z.object({
  /** Made by the sender (a UUIDv7), so that sending it again is known for what it is. */
  id: z.optional(Id),
  name: fields.name,
  instructions: z._default(fields.instructions, ''),
  traitIds: z
    .array(Id)
    .check(z.minLength(1, 'Choose what is scored'), z.maxLength(maxPanelTraits, `At most ${maxPanelTraits} questions on a card`)),
  jars: z
    .array(
      z.object({
        plantId: Id,
        cureDays: z._default(
          z.nullable(z.int('Must be a whole number').check(z.minimum(0, 'At least 0'), z.maximum(3650, 'At most 3,650'))),
          null,
        ),
      }),
    )
    .check(z.minLength(2, 'A panel compares: choose at least two plants'), z.maxLength(maxJars, `At most ${maxJars} jars`)),
  /** What jars are called by: three letters, or two digits. */
  jarNames: z._default(z.enum(['letters', 'digits']), 'letters'),
  cardsPerJar: z._default(CardCount, 1),
})
export type NewPanel = z.infer<typeof NewPanel>

/** A scale's or a trait's number, or the values of options: one of a category, any of a check list. */
export const ScoreValue = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    number: z.number('Must be a number').check(z.minimum(-1e9, 'Too small'), z.maximum(1e9, 'Too large')),
  }),
  z.object({ kind: z.literal('options'), options: z.array(z.int()).check(z.maxLength(40)) }),
])
export type ScoreValue = z.infer<typeof ScoreValue>

/** The same as it is answered: one of the two is there. */
const GivenScore = z.object({ traitId: Id, number: z.nullable(z.number()), options: z.nullable(z.array(z.int())) })
export type GivenScore = z.infer<typeof GivenScore>

export const scoreValueOf = ({ number, options }: Pick<GivenScore, 'number' | 'options'>): ScoreValue =>
  number === null ? { kind: 'options', options: options ?? [] } : { kind: 'number', number }

/** One trait of one jar, over all its cards. */
const JarFigures = z.object({
  traitId: Id,
  /** Cards that answered it. */
  count: z.int(),
  mean: z.nullable(z.number()),
  /** The sample standard deviation; null below two cards. */
  deviation: z.nullable(z.number()),
  /** How many cards named each option; of scales, categories and check lists. */
  options: z.array(z.object({ value: z.int(), count: z.int() })),
})

export const PanelResults = z.object({
  panel: Panel,
  jars: z.array(
    z.object({
      jarId: Id,
      figures: z.array(JarFigures),
      cards: z.array(
        z.object({
          cardNumber: z.int(),
          answeredAt: z.iso.datetime(),
          /** As they signed. Empty where they did not, and in a public hunt for those whom it is not shared with to write. */
          taster: z.string(),
          comment: z.string(),
          scores: z.array(GivenScore),
        }),
      ),
    }),
  ),
  /**
   * How well testers of the same jar agree. `deviation`, of numbers and scales: the standard deviation within jars, pooled over all of
   * them, in the trait's unit; lower is better. `pairs`, of categories and check lists: over all pairs of testers of a jar, the mean share
   * of what either named that both named (Jaccard); 1 is full agreement. Null where no jar has two answers.
   */
  agreement: z.array(z.object({ traitId: Id, measure: z.enum(['deviation', 'pairs']), value: z.nullable(z.number()) })),
})
export type PanelResults = z.infer<typeof PanelResults>

const tag = 'Blind panels'

export const listPanels = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/blind-panels',
  summary: 'The blind panels of a hunt, newest first. While one is open it says how many cards are answered, and nothing of how',
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(Panel),
})

export const createPanel = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/blind-panels',
  summary: 'Open a blind panel: jars with drawn names, and cards for them',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: NewPanel,
  response: Panel,
  status: 201,
})

export const changePanel = endpoint({
  method: 'PATCH',
  path: '/api/blind-panels/:id',
  summary: 'Change the name and instructions of a panel; what is not given stays',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({ name: z.optional(fields.name), instructions: z.optional(fields.instructions), version: z.int() }),
  response: Panel,
})

export const setCards = endpoint({
  method: 'PUT',
  path: '/api/blind-panels/:id/cards',
  summary: 'Say how many cards jars have, while the panel is open. Those too many that are unanswered end, the last first',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({ jars: z.array(z.object({ jarId: Id, cards: CardCount })).check(z.maxLength(maxJars)) }),
  response: Panel,
})

export const printCards = endpoint({
  method: 'POST',
  path: '/api/blind-panels/:id/prints',
  summary: 'Cards to print, each with a new code, which is in this answer and nowhere else. A code that was printed before ends',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({
    /** `new`: those never printed; all others stay good. `unanswered`: all that nobody answered. */
    cards: z._default(z.enum(['new', 'unanswered']), 'new'),
    paper: z._default(z.enum(['Letter', 'A4']), 'Letter'),
  }),
  response: z.object({
    cards: z.array(z.object({ jarName: z.string(), cardNumber: z.int(), url: z.string() })),
    /** The same as a PDF, in base64. */
    pdf: z.string(),
    panel: Panel,
  }),
})

export const closePanel = endpoint({
  method: 'PUT',
  path: '/api/blind-panels/:id/closed',
  summary: 'Close a panel and show what was scored; it can never be opened again. One that is closed stays so',
  tag,
  access: 'member',
  params: IdParams,
  response: Panel,
})

export const deletePanel = endpoint({
  method: 'DELETE',
  path: '/api/blind-panels/:id',
  summary: 'Delete a panel with all that was scored; its cards lead nowhere from then on',
  tag,
  access: 'member',
  params: IdParams,
})

export const getPanelResults = endpoint({
  method: 'GET',
  path: '/api/blind-panels/:id/results',
  summary: 'What testers scored, jar by jar, once the panel is closed (409 before)',
  tag,
  access: 'member',
  params: IdParams,
  response: PanelResults,
})

export const maxTasterLength = 60
export const maxRemarkLength = 1000

export const TasteParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100), withoutNul) })

/** What whoever holds a card sees: nothing of the hunt, the plant or who asks, but for what the instructions say. */
export const TasteCard = z.object({
  state: z.enum(['open', 'answered', 'closed']),
  jarName: z.string(),
  /** Empty once there is nothing to answer. */
  instructions: z.string(),
  questions: z.array(z.object({ question: z.int(), name: z.string(), kind: TraitKind, unit: z.string(), options: z.array(TraitOption) })),
})
export type TasteCard = z.infer<typeof TasteCard>

export const TasteAnswer = z.object({
  isAdult: z.literal(true, 'Only adults may score'),
  scores: z
    .array(z.object({ question: z.int(), value: ScoreValue }))
    .check(z.minLength(1, 'Answer at least one question'), z.maxLength(maxPanelTraits)),
  taster: z._default(line(maxTasterLength), ''),
  comment: z._default(line(maxRemarkLength), ''),
})
export type TasteAnswer = z.infer<typeof TasteAnswer>

export const getTasteCard = endpoint({
  method: 'GET',
  path: '/api/taste/:token',
  summary: 'The card that was scanned',
  tag,
  access: 'public',
  rateLimit: 'taste',
  params: TasteParams,
  response: TasteCard,
})

export const answerTasteCard = endpoint({
  method: 'POST',
  path: '/api/taste/:token',
  summary: 'Answer a card, once. The same answer again changes nothing; another one is refused (409)',
  tag,
  access: 'public',
  words: 'card',
  rateLimit: 'taste',
  params: TasteParams,
  body: TasteAnswer,
  response: TasteCard,
})
