import { maxCardsPerJar, maxRemarkLength, maxTasterLength } from './blind-panels.rules.ts'
import { Id, line, withoutNul } from './fields.ts'
import { Person } from './people.ts'
import { TraitKind, TraitOption } from './traits.ts'
import * as z from './zod.ts'

/** Per hunt. One response contains them all. */
export const maxPanels = 50
export const maxJars = 40

/** Questions per card. */
export const maxPanelTraits = 15

const PanelTrait = z.object({ id: Id, name: z.string(), kind: TraitKind, unit: z.string(), options: z.array(TraitOption) })

const JarPlant = z.object({
  plantId: Id,
  genotypeId: Id,
  number: z.int(),
  name: z.string(),
  label: z.string(),
})

const PanelJar = z.object({
  id: Id,
  jarName: z.string(),
  /** Anyone can see the plant once the panel is closed. Before that, only people with write access can, unless the panel hides its jars. */
  plant: z.nullable(JarPlant),
  cureDays: z.nullable(z.int()),
  cards: z.int(),
  answered: z.int(),
  unprinted: z.int(),
})

export const Panel = z.object({
  id: Id,
  huntId: Id,
  name: z.string(),
  instructions: z.string(),
  isOpen: z.boolean(),
  closedAt: z.nullable(z.iso.datetime()),
  /** Until the panel is closed, only the person who fills the jars can see which plant is in which jar. */
  hidesJars: z.boolean(),
  /** Who read the jar list of a panel with hidden jars. `person` is null if the account was deleted or is hidden by a block. */
  filledBy: z.nullable(z.object({ person: z.nullable(Person), at: z.iso.datetime(), isYou: z.boolean() })),
  traits: z.array(PanelTrait),
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
  /** Three letters or two digits. */
  jarNames: z._default(z.enum(['letters', 'digits']), 'letters'),
  cardsPerJar: z._default(CardCount, 1),
  /** Someone who won't taste fills the jars, so the host can taste too. */
  hidesJars: z._default(z.boolean(), false),
})
export type NewPanel = z.infer<typeof NewPanel>

export const FilledJar = z.object({ jarName: z.string(), plant: JarPlant, cureDays: z.nullable(z.int()) })
export type FilledJar = z.infer<typeof FilledJar>

/** A number for scales and numeric traits, one option for a category, or any number of options for a checklist. */
export const ScoreValue = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    number: z.number('Must be a number').check(z.minimum(-1e9, 'Too small'), z.maximum(1e9, 'Too large')),
  }),
  z.object({ kind: z.literal('options'), options: z.array(z.int()).check(z.maxLength(40)) }),
])
export type ScoreValue = z.infer<typeof ScoreValue>

/** As submitted: exactly one of `number` and `options` is set. */
const GivenScore = z.object({ traitId: Id, number: z.nullable(z.number()), options: z.nullable(z.array(z.int())) })
export type GivenScore = z.infer<typeof GivenScore>

const JarFigures = z.object({
  traitId: Id,
  count: z.int(),
  mean: z.nullable(z.number()),
  /** Sample standard deviation; null for fewer than two cards. */
  deviation: z.nullable(z.number()),
  /** Cards per option, for scales, categories and checklists. */
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
          /** The name the tester signed with. Empty if unsigned, and in public hunts for viewers without write access. */
          taster: z.string(),
          comment: z.string(),
          scores: z.array(GivenScore),
        }),
      ),
    }),
  ),
  /**
   * How well testers of the same jar agree; null if no jar has two answers.
   * - `deviation`: for numbers and scales, the pooled standard deviation within jars, in the trait's unit; lower is better
   * - `pairs`: for categories and checklists, the mean Jaccard index over all pairs of a jar's testers; 1 is full agreement
   */
  agreement: z.array(z.object({ traitId: Id, measure: z.enum(['deviation', 'pairs']), value: z.nullable(z.number()) })),
})
export type PanelResults = z.infer<typeof PanelResults>

export const TasteParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100), withoutNul) })

/** A card as its holder sees it. Reveals nothing about the hunt, the plant or the host beyond the instructions. */
export const TasteCard = z.object({
  state: z.enum(['open', 'answered', 'closed']),
  jarName: z.string(),
  /** Empty unless the card is open. */
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
