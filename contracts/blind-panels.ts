import { maxCardsPerJar, maxRemarkLength, maxTasterLength } from './blind-panels.rules.ts'
import { Id, line, withoutNul } from './fields.ts'
import { Person } from './people.ts'
import { TraitKind, TraitOption } from './traits.ts'
import * as z from './zod.ts'

/** Panels per hunt, returned in one response. */
export const maxPanels = 50
export const maxJars = 40

/** Questions per card. */
export const maxPanelTraits = 15

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
  /** The plant in it: for everyone once the panel is closed; before, for members with write access, unless the panel hides its jars. */
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
  /** Until it is closed, only the person who fills the jars learns what is in them. */
  hidesJars: z.boolean(),
  /** Who read the list of the jars, if they are hidden; `person` is null if the account was deleted or is hidden by a block. */
  filledBy: z.nullable(z.object({ person: z.nullable(Person), at: z.iso.datetime(), isYou: z.boolean() })),
  traits: z.array(PanelTrait),
  /** Sorted by name. */
  jars: z.array(PanelJar),
  createdAt: z.iso.datetime(),
  version: z.int(),
})
export type Panel = z.infer<typeof Panel>

export const panelFields = { name: line(80, 'Name the panel'), instructions: line(2000) }

export const CardCount = z
  .int('Must be a whole number')
  .check(z.minimum(0, 'At least 0'), z.maximum(maxCardsPerJar, `At most ${maxCardsPerJar}`))

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
  /** Someone who won't taste fills the jars, so that the host can taste, too. */
  hidesJars: z._default(z.boolean(), false),
})
export type NewPanel = z.infer<typeof NewPanel>

export const FilledJar = z.object({ jarName: z.string(), plant: JarPlant, cureDays: z.nullable(z.int()) })
export type FilledJar = z.infer<typeof FilledJar>

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

export const TasteParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100), withoutNul) })

/** A card as its holder sees it. Says nothing about the hunt, the plant or the organizer beyond the instructions. */
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
