-- How often the present step of a campaign was tried without success, so that one which never succeeds ends.
ALTER TABLE "campaigns" ADD COLUMN     "tries" INTEGER NOT NULL DEFAULT 0;
