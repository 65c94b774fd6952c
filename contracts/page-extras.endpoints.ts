import { endpoint } from './endpoint.ts'
import { IdOrSlugParams } from './fields.ts'
import { GalleryEdits, ManagedPageExtras, PageExtras, SocialLinkEdits } from './page-extras.ts'

export const getPageExtras = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/page-extras',
  summary: "List the photos, video and social links on a business's page; empty without a plan that includes them",
  tag: 'Businesses',
  access: 'public',
  params: IdOrSlugParams,
  response: PageExtras,
})

export const getManagedPageExtras = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/page-extras/managed',
  summary: "Read the photos, video and social links on a business's page, including those it doesn't show (owner and managers only)",
  tag: 'Businesses',
  access: 'member',
  params: IdOrSlugParams,
  response: ManagedPageExtras,
})

export const saveGallery = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/gallery',
  summary: 'Replace the gallery; adding to it requires a plan. Returns 409 if a teammate changed it in the meantime.',
  tag: 'Businesses',
  access: 'member',
  words: 'mixed',
  params: IdOrSlugParams,
  body: GalleryEdits,
  response: ManagedPageExtras,
})

export const saveSocialLinks = endpoint({
  method: 'PATCH',
  path: '/api/businesses/:id/social-links',
  summary: "Change the social links on a business's page; adding one requires a plan",
  tag: 'Businesses',
  access: 'member',
  words: 'mixed',
  params: IdOrSlugParams,
  body: SocialLinkEdits,
  response: ManagedPageExtras,
})
