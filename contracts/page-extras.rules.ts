export const maxGalleryVideos = 1
