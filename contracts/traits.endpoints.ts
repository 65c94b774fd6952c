import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './fields.ts'
import { HuntParams } from './hunts.ts'
import { maxTraits, NewTrait, Trait, TraitChange, traitFields } from './traits.ts'
import * as z from './zod.ts'

const tag = 'Traits'

export const listTraits = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/traits',
  summary: "List a hunt's traits in their order, at most 100, including archived ones",
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(Trait),
})

export const createTrait = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/traits',
  summary: 'Add a trait to measure',
  tag,
  access: 'member',
  words: 'mixed',
  idempotent: true,
  params: HuntParams,
  body: NewTrait,
  response: Trait,
  status: 201,
})

export const changeTrait = endpoint({
  method: 'PATCH',
  path: '/api/traits/:id',
  summary: 'Change a trait',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: TraitChange,
  response: Trait,
})

export const setWeights = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/weights',
  summary: 'Save the weights of several traits',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ weights: z.array(z.object({ traitId: Id, weight: traitFields.weight })).check(z.maxLength(maxTraits)) }),
  response: z.array(Trait),
})

export const orderTraits = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/trait-order',
  summary: "Reorder the traits; those that aren't named come last",
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ traitIds: z.array(Id).check(z.maxLength(maxTraits)) }),
  response: z.array(Trait),
})

export const deleteTrait = endpoint({
  method: 'DELETE',
  path: '/api/traits/:id',
  summary: 'Delete a trait. 409 if it has values; archive it instead.',
  tag,
  access: 'member',
  params: IdParams,
})
