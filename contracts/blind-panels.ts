import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { line, withoutNul } from './text.ts'
import { TraitKind, TraitOption } from './traits.ts'

/** Panels per hunt, returned in one response. */
export const maxPanels = 50
export const maxJars = 40
export const maxCardsPerJar = 40
/** Questions per card. */
export const maxPanelTraits = 15

/** Traits a taster can answer: observed or tasted, on a scale, as a number or as options. */
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
  /** The plant in it: for members with write access, who fill the jars, and for everyone once the panel is closed. */
  plant: z.nullable(JarPlant),
  cureDays: z.nullable(z.int()),
  cards: z.int(),
  answered: z.int(),
  unprinted: z.int(),
})

/** Jars with neutral names, scored by people without accounts. */
export const Panel = z.object({
  id: Id,
  huntId: Id,
  name: z.string(),
  instructions: z.string(),
  isOpen: z.boolean(),
  closedAt: z.nullable(z.iso.datetime()),
  traits: z.array(PanelTrait),
  /** Sorted by name. */
  jars: z.array(PanelJar),
  createdAt: z.iso.datetime(),
  version: z.int(),
})
export type Panel = z.infer<typeof Panel>

const panelFields = { name: line(80, 'Name the panel'), instructions: line(2000) }

const CardCount = z.int('Must be a whole number').check(z.minimum(0, 'At least 0'), z.maximum(maxCardsPerJar, `At most ${maxCardsPerJar}`))

export const NewPanel = z.object({
  /** A UUIDv7 from the client, for idempotency. */
  id: z.optional(Id),
  name: panelFields.name,
  instructions: z._default(panelFields.instructions, ''),
  traitIds: z
    .array(Id)
    .check(z.minLength(1, 'Choose what to score'), z.maxLength(maxPanelTraits, `At most ${maxPanelTraits} questions on a card`)),
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
    .check(z.minLength(2, 'Choose at least two plants to compare'), z.maxLength(maxJars, `At most ${maxJars} jars`)),
  /** Names of jars: three letters or two digits. */
  jarNames: z._default(z.enum(['letters', 'digits']), 'letters'),
  cardsPerJar: z._default(CardCount, 1),
})
export type NewPanel = z.infer<typeof NewPanel>

/** A number for scales and numeric traits, or option values: one for a category, any for a check list. */
export const ScoreValue = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    number: z.number('Must be a number').check(z.minimum(-1e9, 'Too small'), z.maximum(1e9, 'Too large')),
  }),
  z.object({ kind: z.literal('options'), options: z.array(z.int()).check(z.maxLength(40)) }),
])
export type ScoreValue = z.infer<typeof ScoreValue>

/** The submitted form; exactly one of the two is set. */
const GivenScore = z.object({ traitId: Id, number: z.nullable(z.number()), options: z.nullable(z.array(z.int())) })
export type GivenScore = z.infer<typeof GivenScore>

export const scoreValueOf = ({ number, options }: { number: number | null; options: number[] | null }) =>
  number === null ? { kind: 'options' as const, options: options ?? [] } : { kind: 'number' as const, number }

/** One trait of one jar across its cards. */
const JarFigures = z.object({
  traitId: Id,
  count: z.int(),
  mean: z.nullable(z.number()),
  /** Sample standard deviation; null for fewer than two cards. */
  deviation: z.nullable(z.number()),
  /** Number of cards per option, for scales, categories and check lists. */
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
          /** The name they signed with. Empty if unsigned, and in a public hunt for viewers without write access. */
          taster: z.string(),
          comment: z.string(),
          scores: z.array(GivenScore),
        }),
      ),
    }),
  ),
  /**
   * Agreement of testers of the same jar. `deviation`, for numbers and scales: the pooled standard deviation within jars, in the trait's
   * unit; lower is better. `pairs`, for categories and check lists: the mean Jaccard index over all pairs of testers of a jar; 1 is full
   * agreement. Null if no jar has two answers.
   */
  agreement: z.array(z.object({ traitId: Id, measure: z.enum(['deviation', 'pairs']), value: z.nullable(z.number()) })),
})
export type PanelResults = z.infer<typeof PanelResults>

const tag = 'Blind panels'

export const listPanels = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/blind-panels',
  summary: 'List the blind panels of a hunt, newest first. An open panel shows only how many cards are answered.',
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(Panel),
})

export const createPanel = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/blind-panels',
  summary: 'Open a blind panel with randomly named jars and their cards',
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
  summary: 'Change the name and instructions of a panel',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({ name: z.optional(panelFields.name), instructions: z.optional(panelFields.instructions), version: z.int() }),
  response: Panel,
})

export const setCards = endpoint({
  method: 'PUT',
  path: '/api/blind-panels/:id/cards',
  summary: 'Set the number of cards per jar while the panel is open. Surplus unanswered cards are removed, the last first.',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({ jars: z.array(z.object({ jarId: Id, cards: CardCount })).check(z.maxLength(maxJars)) }),
  response: Panel,
})

export const printCards = endpoint({
  method: 'POST',
  path: '/api/blind-panels/:id/prints',
  summary: 'Create printable cards, each with a new code that only this response shows. Codes printed earlier stop working.',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({
    /** `new`: never printed; other printed cards stay valid. `unanswered`: all unanswered ones. */
    cards: z._default(z.enum(['new', 'unanswered']), 'new'),
    paper: z._default(z.enum(['Letter', 'A4']), 'Letter'),
  }),
  response: z.object({
    cards: z.array(z.object({ jarName: z.string(), cardNumber: z.int(), url: z.string() })),
    /** The cards as a PDF, base64-encoded. */
    pdf: z.string(),
    panel: Panel,
  }),
})

export const closePanel = endpoint({
  method: 'PUT',
  path: '/api/blind-panels/:id/closed',
  summary: 'Close a panel and show its scores; it can never be reopened. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  response: Panel,
})

export const deletePanel = endpoint({
  method: 'DELETE',
  path: '/api/blind-panels/:id',
  summary: 'Delete a panel with all its scores; its cards stop working',
  tag,
  access: 'member',
  params: IdParams,
})

export const getPanelResults = endpoint({
  method: 'GET',
  path: '/api/blind-panels/:id/results',
  summary: 'Read the scores of a closed panel, jar by jar (409 while it is open)',
  tag,
  access: 'member',
  params: IdParams,
  response: PanelResults,
})

export const maxTasterLength = 60
export const maxRemarkLength = 1000

export const TasteParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100), withoutNul) })

/** Visible to the holder of a card: nothing about the hunt, the plant or the organizer except what the instructions say. */
export const TasteCard = z.object({
  state: z.enum(['open', 'answered', 'closed']),
  jarName: z.string(),
  /** Empty once there is nothing to answer. */
  instructions: z.string(),
  questions: z.array(z.object({ question: z.int(), name: z.string(), kind: TraitKind, unit: z.string(), options: z.array(TraitOption) })),
})
export type TasteCard = z.infer<typeof TasteCard>

export const TasteAnswer = z.object({
  isAdult: z.literal(true, 'Only adults can score'),
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
  summary: 'Read the card that was scanned',
  tag,
  access: 'public',
  rateLimit: 'taste',
  params: TasteParams,
  response: TasteCard,
})

export const answerTasteCard = endpoint({
  method: 'POST',
  path: '/api/taste/:token',
  summary: 'Answer a card, once. Repeating the same answer changes nothing; a different one is refused (409).',
  tag,
  access: 'public',
  words: 'card',
  rateLimit: 'taste',
  params: TasteParams,
  body: TasteAnswer,
  response: TasteCard,
})
