import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { type Community, type CommunityCategory, type CommunityVisibility, NewCommunity } from '../../../contracts/communities.ts'

/** What the form of a community holds. The picture is sent apart. */
export type CommunityValues = {
  name: string
  description: string
  category: CommunityCategory | ''
  visibility: CommunityVisibility
  rules: string[]
}

export const communityFields = ['name', 'description', 'category', 'visibility', 'rules'] as const

export const emptyCommunity: CommunityValues = { name: '', description: '', category: '', visibility: 'public', rules: [''] }

export const valuesOf = ({ name, description, category, visibility, rules }: Community): CommunityValues => ({
  name,
  description,
  category,
  visibility,
  rules: rules.length > 0 ? [...rules] : [''],
})

/** A line that was left empty is no rule. */
export const withoutEmptyRules = (values: CommunityValues): CommunityValues => ({
  ...values,
  rules: values.rules.filter((rule) => rule.trim() !== ''),
})

const resolve = standardSchemaResolver(NewCommunity) as unknown as Resolver<CommunityValues, unknown, NewCommunity>

export const communityResolver: Resolver<CommunityValues, unknown, NewCommunity> = (values, context, options) =>
  resolve(withoutEmptyRules(values), context, options)
