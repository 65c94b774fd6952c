import { maxGalleryPhotos } from './business-plans.ts'
import { Id, line, withoutNul } from './fields.ts'
import { maxGalleryVideos } from './limits.ts'
import { Media } from './media.ts'
import { maxSocialText, type SocialNetwork, socialNetworkIds, socialNetworks, socialUrl } from './social-networks.ts'
import * as z from './zod.ts'

/** What the Verified plan adds to a business's page: photos, a short video and links to its social pages. */

const maxGalleryItems = maxGalleryPhotos + maxGalleryVideos

const GalleryItem = z.object({
  id: Id,
  /** Its `alt` is the one written for the gallery. */
  media: Media,
})
export type GalleryItem = z.infer<typeof GalleryItem>

const SocialLink = z.object({
  network: z.enum(socialNetworkIds),
  /** Always https, and always the network's own host. */
  url: z.string(),
})
export type SocialLink = z.infer<typeof SocialLink>

export const PageExtras = z.object({
  /** The video first, then the photos in their order. */
  gallery: z.array(GalleryItem),
  socialLinks: z.array(SocialLink),
})
export type PageExtras = z.infer<typeof PageExtras>

export const ManagedPageExtras = z.object({
  /** Includes what isn't shown: everything without a plan, and what moderators hid. */
  gallery: z.array(
    z.extend(GalleryItem, {
      /** Null if the item is visible. */
      moderation: z.nullable(z.enum(['held', 'hidden', 'removed'])),
    }),
  ),
  /** Changes with the gallery. */
  galleryVersion: z.string(),
  socialLinks: z.array(SocialLink),
  /** Whether a plan of the business includes them now. What was added before is kept either way. */
  isUnlocked: z.object({ gallery: z.boolean(), socialLinks: z.boolean() }),
})
export type ManagedPageExtras = z.infer<typeof ManagedPageExtras>

export const GalleryEdits = z.object({
  /** The entire gallery, in order. Missing items are removed. */
  items: z
    .array(z.object({ mediaId: Id, alt: z._default(line(300), '') }))
    .check(z.maxLength(maxGalleryItems, `At most ${maxGalleryPhotos} photos and one video`)),
  /** The `galleryVersion` that these edits began with. */
  version: z.string().check(z.maxLength(64), withoutNul),
})
export type GalleryEdits = z.infer<typeof GalleryEdits>

const SocialPage = (network: SocialNetwork) =>
  z.optional(
    z.string().check(
      z.trim(),
      z.maxLength(maxSocialText, `At most ${maxSocialText} characters`),
      withoutNul,
      z.refine(
        (text) => text === '' || socialUrl(network, text) !== null,
        `Enter your ${socialNetworks[network].name} name or address, such as ${socialNetworks[network].example}`,
      ),
    ),
  )

/** A name or an address for each network. A network that is left out keeps its link; an empty text removes it. */
export const SocialLinkEdits = z.object({
  instagram: SocialPage('instagram'),
  facebook: SocialPage('facebook'),
  x: SocialPage('x'),
  youtube: SocialPage('youtube'),
  tiktok: SocialPage('tiktok'),
  linkedin: SocialPage('linkedin'),
} satisfies Record<SocialNetwork, unknown>)
export type SocialLinkEdits = z.infer<typeof SocialLinkEdits>
