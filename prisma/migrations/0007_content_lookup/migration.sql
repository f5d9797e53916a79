-- DropIndex
DROP INDEX "email_contents_project_id_template_id_idx";
