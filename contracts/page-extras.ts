import { maxGalleryPhotos } from './business-plans.ts'
import { Id, line, Version, withoutNul } from './fields.ts'
import { maxGalleryVideos } from './limits.ts'
import { Media } from './media.ts'
import { maxSocialText, type SocialNetwork, socialNetworkIds, socialNetworks, socialUrl } from './social-networks.ts'
import * as z from './zod.ts'

const maxGalleryItems = maxGalleryPhotos + maxGalleryVideos

const GalleryItem = z.object({
  id: Id,
  /** `media.alt` is the description that the team wrote for the gallery. */
  media: Media,
})
export type GalleryItem = z.infer<typeof GalleryItem>

const SocialLink = z.object({
  network: z.enum(socialNetworkIds),
  /** Always https and on the network's own host. */
  url: z.string(),
})
export type SocialLink = z.infer<typeof SocialLink>

/** What plans with `gallery` or `social_links` add to a business's page. */
export const PageExtras = z.object({
  /** The video first, then the photos in order. */
  gallery: z.array(GalleryItem),
  socialLinks: z.array(SocialLink),
})
export type PageExtras = z.infer<typeof PageExtras>

export const ManagedPageExtras = z.object({
  /** Includes hidden items: all of them if no plan includes the gallery, and any that moderators hid. */
  gallery: z.array(
    z.extend(GalleryItem, {
      moderation: z.nullable(z.enum(['held', 'hidden', 'removed'])),
    }),
  ),
  galleryVersion: z.string(),
  socialLinks: z.array(SocialLink),
  /** Whether the business's plans include them now. If not, items added earlier are hidden but not deleted. */
  isUnlocked: z.object({ gallery: z.boolean(), socialLinks: z.boolean() }),
})
export type ManagedPageExtras = z.infer<typeof ManagedPageExtras>

export const GalleryEdits = z.object({
  /** The entire gallery, in order. Omitted items are removed. */
  items: z
    .array(z.object({ mediaId: Id, alt: z._default(line(300), '') }))
    .check(z.maxLength(maxGalleryItems, `At most ${maxGalleryPhotos} photos and one video`)),
  /** The `galleryVersion` that was edited. */
  version: Version,
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

/** A name or a URL for each network. An omitted network keeps its link; an empty string removes it. */
export const SocialLinkEdits = z.object({
  instagram: SocialPage('instagram'),
  facebook: SocialPage('facebook'),
  x: SocialPage('x'),
  youtube: SocialPage('youtube'),
  tiktok: SocialPage('tiktok'),
  linkedin: SocialPage('linkedin'),
} satisfies Record<SocialNetwork, unknown>)
export type SocialLinkEdits = z.infer<typeof SocialLinkEdits>
