import type { TraitKind } from './traits.ts'

export const maxCardsPerJar = 40

export const panelTraitKinds = ['ordinal', 'number', 'category', 'checks'] as const satisfies readonly TraitKind[]

export const scoreValueOf = ({ number, options }: { number: number | null; options: number[] | null }) =>
  number === null ? { kind: 'options' as const, options: options ?? [] } : { kind: 'number' as const, number }

export const maxTasterLength = 60
export const maxRemarkLength = 1000
