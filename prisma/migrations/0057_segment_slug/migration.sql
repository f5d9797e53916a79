-- What the events of a segment are named after, unlike that of any other segment of the project. Workers give one to those that are there.
ALTER TABLE "segments" ADD COLUMN     "slug" TEXT;
