-- AlterTable
ALTER TABLE "workflows" ADD COLUMN     "starts_epoch" SMALLINT,
ADD COLUMN     "starts_xid" xid8;
